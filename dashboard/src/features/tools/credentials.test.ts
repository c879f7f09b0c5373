import { expect, test } from "vitest";
import { NO_CREDENTIALS, toCredentials } from "./credentials";

const TYPED = {
  ...NO_CREDENTIALS,
  bearer_token: "t",
  username: "u",
  password: "p",
  api_key: "k",
};

test("only the fields of the selected method are sent", () => {
  expect(toCredentials(TYPED)).toBeNull();
  expect(toCredentials({ ...TYPED, method: "bearer" })).toEqual({ bearer_token: "t" });
  expect(toCredentials({ ...TYPED, method: "basic" })).toEqual({ username: "u", password: "p" });
  expect(toCredentials({ ...TYPED, method: "key" })).toEqual({ api_key: "k" });
  expect(toCredentials({ ...TYPED, method: "key", api_key_name: " X-Key ", api_key_in: "query" })).toEqual({
    api_key: "k",
    api_key_name: "X-Key",
    api_key_in: "query",
  });
});

test("headers without a name are omitted", () => {
  const headers = [
    { row: 1, name: " X-Tenant ", value: "acme" },
    { row: 2, name: " ", value: "lost" },
  ];
  expect(toCredentials({ ...TYPED, headers })).toEqual({ headers: { "X-Tenant": "acme" } });
});
