import { describe, expect, it } from "vitest";
import { curlOf } from "./toolCurl";

const HTTP = { provider: "builtin", tool_name: "http.request" };
const ORIGIN = "https://parley.example";

describe("a call as curl", () => {
  it("is the request that the HTTP tool sends, quoted for a shell", () => {
    const given = {
      url: "https://shop.example/orders?page=1",
      query: { q: "a&b" },
      headers: { "X-Tenant": "7" },
      body: { note: "it's" },
    };
    expect(curlOf(HTTP, given, ORIGIN)).toBe(
      String.raw`curl -X POST 'https://shop.example/orders?page=1&q=a%26b' \
  -H 'X-Tenant: 7' \
  -H 'Content-Type: application/json' \
  --data-raw '{"note":"it'\''s"}'`,
    );
    expect(curlOf(HTTP, { url: "https://shop.example/" }, ORIGIN)).toBe("curl 'https://shop.example/'");
  });

  it("has variables instead of secrets", () => {
    const given = {
      url: "https://shop.example/?api_key=s3cret&price=$5",
      headers: { Authorization: "Bearer s3cret", "Idempotency-Key": "order-1" },
    };
    const command = curlOf(HTTP, given, ORIGIN);
    expect(command).not.toContain("s3cret");
    expect(command).toBe(
      `curl "https://shop.example/?api_key=\${API_KEY}&price=\\$5" \\
  -H "Authorization: \${AUTHORIZATION}" \\
  -H 'Idempotency-Key: order-1'`,
    );
  });

  it("triggers the workflow of an agent", () => {
    expect(curlOf({ provider: "workflow", tool_name: "0192" }, { amount: 5 }, ORIGIN)).toBe(
      `curl -X POST 'https://parley.example/developer/api/workflows/0192/trigger/sync' \\
  -H "Authorization: Bearer \${PARLEY_API_KEY}" \\
  -H 'Content-Type: application/json' \\
  --data-raw '{"inputs":{"amount":5}}'`,
    );
  });

  it("does not exist for tools of a session", () => {
    expect(curlOf({ provider: "my-mcp", tool_name: "search" }, {}, ORIGIN)).toBeUndefined();
  });
});
