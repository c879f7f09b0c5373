import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import { retryOf } from "./ticketRetry";

const ticket = (change: Schemas["TicketChangeKind"], replaced_by: string | null = null) => ({
  task_id: "fetch",
  replaced_by,
  history: [
    { seq: 2, at: "2029-01-01T00:00:00Z", by: "user:1", change } as Schemas["TicketDetails"]["history"][0],
  ],
});
const tasks = (status: Schemas["TaskInstance"]["status"]) => [{ id: "fetch", status }];

test("a retried task runs until it completes or fails again", () => {
  expect(retryOf(ticket("completed"), tasks("COMPLETED"))).toBeUndefined();
  expect(retryOf(ticket("retried"), undefined)).toBe("running");
  expect(retryOf(ticket("retried"), tasks("WAITING"))).toBe("running");
  expect(retryOf(ticket("retried"), tasks("COMPLETED"))).toBe("completed");
  expect(retryOf(ticket("retried"), tasks("FAILED"))).toBe("failed");
  expect(retryOf(ticket("retried", "next"), tasks("WAITING"))).toBe("failed");
});
