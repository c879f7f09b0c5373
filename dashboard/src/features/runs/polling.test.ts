import { expect, test } from "vitest";
import { pollInterval } from "../../api";

test("a run is polled each second only while its live stream is away", () => {
  expect(pollInterval("RUNNING", false)).toBe(1_000);
  expect(pollInterval("RUNNING", true)).toBe(5_000);
  expect(pollInterval("PAUSED", false)).toBe(5_000);
  expect(pollInterval("PAUSED", true)).toBe(5_000);
  expect(pollInterval("COMPLETED", false)).toBe(false);
  expect(pollInterval(undefined, false)).toBe(false);
});
