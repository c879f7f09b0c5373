import { expect, test } from "vitest";
import { keyOf, OPERATIONS } from "./developerApi";
import { prepare } from "./tryRequest";

const find = (key: string) => OPERATIONS.find((each) => keyOf(each) === key)!;

test("builds a request to this service with the reader's key", () => {
  const operation = find("GET /api/workflow_instances/{workflow_instance_id}/logs");
  expect(
    prepare(operation, {
      key: "sk-1",
      values: { "path/workflow_instance_id": " a/b ", "query/limit": "5" },
      body: undefined,
    }),
  ).toEqual({
    url: "/developer/api/workflow_instances/a%2Fb/logs?limit=5",
    init: {
      method: "GET",
      headers: { Authorization: "Bearer sk-1" },
      body: undefined,
      credentials: "omit",
      redirect: "manual",
    },
  });
  const file = prepare(find("GET /api/media/files/{path}"), {
    key: "sk-1",
    values: { "path/path": "a/b c.pdf" },
    body: undefined,
  });
  expect(file).toMatchObject({ url: "/developer/api/media/files/a/b%20c.pdf" });
});

test("says what is missing", () => {
  const operation = find("POST /api/workflows/{workflow_id}/trigger/sync");
  const values = { "path/workflow_id": "w" };
  expect(prepare(operation, { key: "", values, body: "{}" })).toBe("Enter your API key.");
  expect(prepare(operation, { key: "sk-1", values: {}, body: "{}" })).toBe("Enter a value for workflow_id.");
  expect(prepare(operation, { key: "sk-1", values, body: "{" })).toBe("The body isn’t valid JSON.");
  expect(prepare(operation, { key: "sk-1", values, body: "{}" })).toMatchObject({ init: { body: "{}" } });
});

test("sends no key to a URL that is a secret itself", () => {
  const resume = prepare(find("POST /resume/{token}"), {
    key: "sk-1",
    values: { "path/token": "t" },
    body: undefined,
  });
  expect(resume).toMatchObject({ url: "/developer/resume/t", init: { headers: {} } });
});
