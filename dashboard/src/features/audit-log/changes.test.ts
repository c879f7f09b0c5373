import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import { formatSide, summarizeChanges } from "./changes";

const field = "messages_per_minute";
const entry = (action: string) =>
  ({ action, changes: [{ field, before: "1500", after: null }] }) as unknown as Schemas["AuditEntry"];

test("a change to the default reads the same in the list and in the details", () => {
  expect(summarizeChanges(entry("organization.update"))).toBe("Messages per minute: 1500 → default");
  expect(formatSide(entry("organization.update"), field, null)).toBe("default");
});

test("the status of a ticket reads as on its page, that of a run as on its own", () => {
  const changes = [{ field: "status", before: "OPEN", after: "RESOLVED" }];
  const of = (action: string) => summarizeChanges({ action, changes } as unknown as Schemas["AuditEntry"]);
  expect(of("tickets.complete")).toBe("Status: Unclaimed → Completed");
  expect(of("instances.cancel")).toBe("Status: Open → Resolved");
});

test("what was deleted has no value afterwards", () => {
  expect(formatSide(entry("webhook-endpoints.delete"), field, null)).toBe("–");
});
