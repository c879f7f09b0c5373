import { expect, test } from "vitest";
import { hasFailed, shownStatus, statusReason, taskCounts } from "./shownStatus";

const task = (status: string, more: object = {}) =>
  ({ status, error: null, reused: false, ...more }) as Parameters<typeof shownStatus>[0];
const ERROR = { task: "look", error: "Code error", detail: "No order X4707" };

test("a task that failed and was ignored is not shown as completed", () => {
  expect(shownStatus(task("COMPLETED"))).toBe("COMPLETED");
  expect(shownStatus(task("COMPLETED", { error: ERROR }))).toBe("FAILED_IGNORED");
  expect(statusReason(task("COMPLETED", { error: ERROR }))).toContain("Code error: No order X4707");
  // The error of an attempt that is repeated.
  expect(shownStatus(task("RUNNING", { error: ERROR }))).toBe("RUNNING");
  expect(statusReason(task("RUNNING", { error: ERROR }))).toBeUndefined();
});

test("a task whose result is reused is not shown as completed", () => {
  expect(shownStatus(task("COMPLETED", { reused: true }))).toBe("REUSED");
  expect(statusReason(task("COMPLETED", { reused: true }))).toContain("did not run");
});

test("tasks are counted by what is shown", () => {
  const failed = task("COMPLETED", { error: ERROR });
  expect(taskCounts([task("COMPLETED"), failed, task("COMPLETED")])).toEqual([
    "2 of 3 completed",
    "1 failed and ignored",
  ]);
  expect(taskCounts([task("COMPLETED", { reused: true }), task("FAILED"), task("SKIPPED")])).toEqual([
    "0 of 3 completed",
    "1 failed, 1 reused, 1 skipped",
  ]);
});

test("failures are those of the task itself, also while a person decides about them", () => {
  const failures = [
    task("FAILED", { error: ERROR }),
    task("COMPLETED", { error: ERROR }),
    task("WAITING", { error: ERROR }),
    // The error of an attempt that is repeated.
    task("RUNNING", { error: ERROR }),
    task("WAITING"),
    task("COMPLETED"),
  ];
  expect(failures.map(hasFailed)).toEqual([true, true, true, false, false, false]);
});
