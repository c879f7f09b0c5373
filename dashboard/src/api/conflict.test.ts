import { describe, expect, it, vi } from "vitest";
import { api, unwrap } from "./client";
import { tagOf, unwrapTagged } from "./conflict";

describe("tagOf", () => {
  it.each(['"7"', 'W/"7"', '"7-gzip"', 'W/"7-gzip"', '"7--gzip"', '"7;gzip"', '"7-br"', '"7"-gzip'])(
    "reads %s as the tag of the service",
    (header) => expect(tagOf(header)).toBe('"7"'),
  );

  it("keeps other tags", () => expect(tagOf('"a-b"')).toBe('"a-b"'));
});

describe("a resource whose tag a proxy has removed", () => {
  const path = { orgId: "1", teamId: 2 };
  const route = "/dashboard/api/organizations/{orgId}/teams/{teamId}";

  it("is read, but not saved", async () => {
    const fetch = vi.fn(async () => Response.json({ id: 2, name: "Sales" }));
    vi.stubGlobal("fetch", fetch);
    vi.stubGlobal("location", { origin: "http://parley.test" });
    const options = { baseUrl: "http://parley.test" };

    const team = await unwrapTagged(api.GET(route, { params: { path }, ...options }));
    expect(team.name).toBe("Sales");
    const save = unwrap(
      api.PATCH(route, {
        params: { path, header: { "If-Match": team.etag } },
        body: { name: "Support" },
        ...options,
      }),
    );

    await expect(save).rejects.toThrow("removes the ETag header");
    expect(fetch).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });
});
