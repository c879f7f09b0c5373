import { expect, test } from "vitest";
import { reassignmentText } from "./reassignmentText";

test("a reassignment names the previous and the new assignees", () => {
  const names = (assignees: { assignment_type: string; assignee_id: string }[]) =>
    assignees.map((each) => `${each.assignment_type} ${each.assignee_id}`).join(", ") || "nobody";
  expect(reassignmentText({ from: "team:3, user:0192", to: "team:4" }, names)).toBe(
    "from Team 3, User 0192 to Team 4",
  );
  expect(reassignmentText({ from: null, to: "user:0192" }, names)).toBe("from nobody to User 0192");
});
