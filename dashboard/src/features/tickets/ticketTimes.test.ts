import { expect, test } from "vitest";
import { dueText } from "./ticketTimes";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test.each([
  ["2026-03-01T15:10:00Z", "Due in 3 hr", false],
  ["2026-03-03T11:55:00Z", "Due in 2 days", false],
  ["2026-03-01T12:00:20Z", "Due in 1 min", false],
  ["2026-03-03T12:00:00Z", "Due in 2 days", false],
  ["2026-03-01T11:59:59Z", "Overdue by 1 min", true],
  ["2026-02-27T11:00:00Z", "Overdue by 2 days", true],
])("%s is %s", (dueAt, text, overdue) => {
  expect(dueText(dueAt, NOW, false, "en")).toEqual({ text, overdue });
});

test("a done ticket is not overdue", () => {
  expect(dueText("2026-02-27T11:00:00Z", NOW, true, "en")).toEqual({
    text: "Due Feb 27, 2026",
    overdue: false,
  });
});
