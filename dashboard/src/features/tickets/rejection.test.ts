import { expect, test } from "vitest";
import { rejectionEffect, rejectLabel, runAfterRejection } from "./rejection";

const QUESTION = { rule_type: "Human Feedback", tool_call: null, replaced_by: null } as const;
const CALL = { ...QUESTION, tool_call: { tool_id: 1, tool_name: "Mail" } };
const FAILED_TASK = { ...QUESTION, rule_type: "Exception" } as const;

test("rejecting a question is not named like the answer No", () => {
  expect([QUESTION, CALL, FAILED_TASK].map(rejectLabel)).toEqual([
    "Can’t answer…",
    "Reject call",
    "Fail the run",
  ]);
});

test.each([
  [QUESTION, null, /^The run fails with this reason/],
  [QUESTION, "RAISE", /^The run fails with this reason/],
  [QUESTION, "IGNORE", /^The run continues without an answer/],
  [QUESTION, "RETRY", /^The agent asks again in a new ticket/],
  [QUESTION, undefined, /^The run fails, unless/],
  [CALL, "RAISE", /the run continues/],
  [FAILED_TASK, "IGNORE", /^The run stops/],
])("%j with the error policy %s", (ticket, policy, effect) => {
  expect(rejectionEffect(ticket, policy)).toMatch(effect);
});

test("the effect of a rejection follows from the run", () => {
  expect(runAfterRejection(QUESTION, "FAILED")).toBe("The run failed.");
  expect(runAfterRejection(QUESTION, "RUNNING")).toBe("The run continues without an answer.");
  expect(runAfterRejection({ replaced_by: "next" }, "PAUSED")).toBe("The agent asks again in a new ticket.");
  expect(runAfterRejection(QUESTION, undefined)).toBe("");
});
