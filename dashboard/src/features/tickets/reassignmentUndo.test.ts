import { expect, test } from "vitest";
import { reassignmentsBack } from "./reassignmentUndo";

const team = (id: string) => ({ assignment_type: "Team" as const, assignee_id: id });
const user = (id: string) => ({ assignment_type: "User" as const, assignee_id: id });
const ticket = (
  id: string,
  assignments: ReturnType<typeof team | typeof user>[],
  claimed_by: string | null,
) => ({
  id,
  assignments,
  claimed_by,
});

test("reassigned tickets go back to their assignees, with one request for each", () => {
  expect(
    reassignmentsBack([
      ticket("a", [team("1")], null),
      ticket("b", [user("1")], null),
      ticket("c", [team("1")], null),
    ]),
  ).toEqual([
    { to: team("1"), ticketIds: ["a", "c"] },
    { to: user("1"), ticketIds: ["b"] },
  ]);
});

test("a reassignment that removed a claim or several assignees cannot be undone", () => {
  expect(reassignmentsBack([ticket("a", [team("1")], "anna")])).toBeNull();
  expect(reassignmentsBack([ticket("a", [team("1"), user("2")], null)])).toBeNull();
  expect(reassignmentsBack([ticket("a", [], null)])).toBeNull();
  expect(reassignmentsBack([ticket("a", [team("1")], null), ticket("b", [], null)])).toBeNull();
});
