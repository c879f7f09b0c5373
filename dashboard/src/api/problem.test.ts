import { describe, expect, test } from "vitest";
import { unwrap } from "./client";
import { ApiError, errorsByField, fieldErrors } from "./problem";

const answer = (status: number) => new Response(null, { status, headers: { "X-Request-Id": "r1" } });

test("an error response keeps what the server says", () => {
  const errors = [{ path: "/name", detail: "'/name' is missing." }];
  const error = ApiError.of(answer(400), { error: "Invalid", detail: "The request is invalid.", errors });
  expect(error).toMatchObject({
    status: 400,
    title: "Invalid",
    message: "The request is invalid.",
    violations: errors,
    requestId: "r1",
    transient: false,
  });
});

test("an error response without JSON still has a message", () => {
  const error = ApiError.of(answer(502), null);
  expect(error.message).toContain("502");
  expect(error.transient).toBe(true);
});

describe("unwrap", () => {
  test("returns the body", async () => {
    expect(await unwrap(Promise.resolve({ data: { id: 1 }, response: answer(200) }))).toEqual({ id: 1 });
  });

  test("throws the problem of the response", async () => {
    const call = Promise.resolve({ error: { detail: "Gone." }, response: answer(404) });
    await expect(unwrap(call)).rejects.toMatchObject({ status: 404, message: "Gone." });
  });

  test("reports a failed connection as status 0", async () => {
    const cause = new TypeError("Failed to fetch");
    await expect(unwrap(Promise.reject(cause))).rejects.toMatchObject({ status: 0, transient: true, cause });
  });
});

describe("fieldErrors", () => {
  const error = ApiError.of(answer(400), {
    errors: [
      { path: "/name", detail: "'/name' is missing." },
      { path: "/url", detail: "The URL is not allowed." },
      { detail: "The body is not JSON." },
    ],
  });

  test("errors at fields of the form lose the name of the field", () => {
    const { at } = fieldErrors(error, ["/name"]);
    expect(at("/name")).toBe("Is missing.");
    expect(at("/url")).toBe("The URL is not allowed.");
    expect(at("/other")).toBeUndefined();
  });

  test("all others remain for the notice", () => {
    const { others } = fieldErrors(error, ["/name"]);
    expect(others.map((each) => each.detail)).toEqual(["The URL is not allowed.", "The body is not JSON."]);
    expect(fieldErrors(new Error("other")).others).toEqual([]);
  });
});

test("the first error of each field is at its input", () => {
  const error = ApiError.of(answer(400), {
    errors: [
      { path: "/name", detail: "'/name' is missing." },
      { path: "/name", detail: "'/name' is too long." },
      { path: "/credentials/username", detail: "The username is unknown." },
      { detail: "The body is not JSON." },
    ],
  });
  expect(errorsByField(error)).toEqual({
    name: "Is missing.",
    "credentials.username": "The username is unknown.",
  });
  expect(errorsByField(new Error("other"))).toEqual({});
});
