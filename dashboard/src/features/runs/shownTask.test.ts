import { expect, test } from "vitest";
import { shownTask } from "./shownTask";

const task = (id: string, status: "COMPLETED" | "WAITING" | "FAILED" | "RUNNING", reused = false) => ({
  id,
  status,
  reused,
  ticket_id: status === "WAITING" ? "t" : null,
});

test("the details are those of the chosen task, or of the one that needs attention", () => {
  const tasks = [task("a", "COMPLETED"), task("b", "COMPLETED"), task("c", "WAITING")];
  const run = { tasks, error: null, rerun_of: null };
  expect(shownTask(run, "b")?.id).toBe("b");
  expect(shownTask(run, "unknown")?.id).toBe("c");
  expect(shownTask({ ...run, error: { task: "b" } }, undefined)?.id).toBe("b");
  expect(shownTask({ ...run, tasks: [] }, undefined)).toBeUndefined();
});

test("a rerun opens with the task from which it runs, or the first one that it does not reuse", () => {
  const tasks = [task("a", "COMPLETED", true), task("b", "RUNNING"), task("c", "RUNNING")];
  const of = (from_task: string | null) => ({ tasks, error: null, rerun_of: { from_task } });
  expect(shownTask(of("c"), undefined)?.id).toBe("c");
  expect(shownTask(of("a"), undefined)?.id).toBe("b");
  expect(shownTask(of(null), undefined)?.id).toBe("b");
  const reused = [task("a", "COMPLETED", true)];
  expect(shownTask({ ...of("a"), tasks: reused }, undefined)?.id).toBe("a");
});
