import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import { stateOf } from "./ticketState";

const text = (status: Schemas["TicketStatus"], rest: { reason?: string; replaced_by?: string } = {}) =>
  stateOf({ status, reason: null, replaced_by: null, retried: false, ...rest }).text;

test("a state has the word of its filter or of the action that led to it", () => {
  expect(
    ["OPEN", "IN_PROGRESS", "RESOLVED", "REJECTED", "CLOSED"].map((each) => text(each as "OPEN")),
  ).toEqual(["Unclaimed", "Claimed", "Completed", "Rejected", "Closed"]);
  expect(text("RESOLVED", { reason: "Too dear" })).toBe("Rejected");
  expect(text("CLOSED", { reason: "Not yet", replaced_by: "next" })).toBe("Rejected");
  expect(text("CLOSED", { reason: "The run was cancelled" })).toBe("Closed");
});

test("a retry is not a success, and fails when a new ticket opens", () => {
  const retried = { status: "RESOLVED", reason: null, replaced_by: null, retried: true } as const;
  expect(stateOf(retried)).toEqual({ text: "Retried", tone: "" });
  expect(stateOf({ ...retried, replaced_by: "next" })).toEqual({ text: "Retried", tone: "bad" });
});
