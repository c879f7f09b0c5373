import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import { stepsBefore } from "./stepsBefore";

const step = (id: string, finished_at: string | null) => ({ id, finished_at }) as Schemas["TaskInstance"];

test("the earlier steps are those that finished before the ticket was opened", () => {
  const tasks = [
    step("second", "2026-11-24T10:02:00Z"),
    step("first", "2026-11-24T10:01:00Z"),
    step("approve", "2026-11-24T10:02:00Z"),
    step("running", null),
    step("later", "2026-11-24T10:04:00Z"),
  ];
  const ticket = { task_id: "approve", created_at: "2026-11-24T10:03:00Z" };
  expect(stepsBefore(tasks, ticket).map(({ id }) => id)).toEqual(["first", "second"]);
});
