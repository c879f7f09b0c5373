import { expect, test } from "vitest";
import { failureSummary } from "./bulkFailures";

const failed = (id: number, detail: string) => ({
  ticket_id: `t${id}`,
  succeeded: false,
  error: "Conflict",
  detail,
  code: "wrong_status",
});

const NUMBERS = new Map(Array.from({ length: 9 }, (_, index) => [`t${index}`, index]));

test("tickets with the same reason are named together", () => {
  expect(
    failureSummary([failed(3, "Claimed."), failed(4, "Not open."), failed(7, "Claimed.")], NUMBERS),
  ).toBe("#3, #7: Claimed. #4: Not open.");
});

test("of many tickets the first five are named", () => {
  expect(
    failureSummary(
      [1, 2, 3, 4, 5, 6, 7].map((id) => failed(id, "Claimed.")),
      NUMBERS,
    ),
  ).toBe("#1, #2, #3, #4, #5 and 2 more: Claimed.");
});
