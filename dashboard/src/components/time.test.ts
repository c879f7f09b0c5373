import { expect, test } from "vitest";
import { ago } from "./Time";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test.each([
  ["2026-03-01T12:04:00Z", "in 4 min"],
  ["2026-03-01T12:00:30Z", "in 30 sec"],
  ["2026-03-01T12:00:02Z", "just now"],
  ["2026-03-01T11:59:01Z", "just now"],
  ["2026-03-01T11:59:00Z", "1 min ago"],
  ["2026-03-01T09:00:00Z", "3 hr ago"],
  ["2026-02-28T11:00:00Z", "yesterday"],
])("%s is %s", (at, text) => {
  expect(ago(new Date(at), NOW)).toBe(text);
});
