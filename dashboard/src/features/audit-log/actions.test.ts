import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { actionOptions, describeAction } from "./actions";

const PREFIX = "/dashboard/api/organizations";
/** As in AuditAction of the service. */
const NOT_LOGGED = [
  "workflows.validate",
  "workflows.positions",
  "conversations.read-position",
  "data-lakes.preview",
  "data-lakes.replace.preview",
  "data-lakes.replace.upload",
  "tools.request",
  "tool-providers.operations",
];
const VERBS: Record<string, string> = { post: "create", put: "update", patch: "update", delete: "delete" };

const { paths } = JSON.parse(
  readFileSync(new URL("../../../../docs/openapi-dashboard.json", import.meta.url), "utf8"),
) as { paths: Record<string, object> };

/** The audited actions of the API's routes. */
const actions = Object.entries(paths)
  .filter(([path]) => path.startsWith(PREFIX))
  .flatMap(([path, methods]) => {
    const [, ...segments] = path.slice(PREFIX.length + 1).split("/");
    const name = segments.filter((each) => !each.startsWith("{")).join(".") || "organization";
    return Object.keys(methods)
      .filter((method) => method in VERBS && !NOT_LOGGED.includes(name))
      .map((method) => {
        const endsWithVerb =
          method === "post" &&
          segments.length > 1 &&
          !segments.at(-1)?.startsWith("{") &&
          name !== "conversations.messages";
        return endsWithVerb ? name : `${name}.${VERBS[method]}`;
      });
  });

test("every audited action has a label and can be filtered", () => {
  expect(actions).toContain("tickets.take-over");
  expect(actions.filter((action) => describeAction(action) === action)).toEqual([]);
  const values = actionOptions(undefined).flatMap(({ items }) => items.map(({ value }) => value));
  // A deleted organization has no audit log to filter.
  expect(actions.filter((action) => !values.includes(action))).toEqual(["organization.delete"]);
});
