import type { Schemas } from "../../api";

type Assignee = Schemas["TicketAssignee"];

/** Reads assignees as the history has them, such as "team:3, user:0192…". */
function assigneesOf(text: string | null): Assignee[] {
  return (text ?? "")
    .split(", ")
    .filter((each) => each !== "")
    .map((each) => {
      const [kind, id = ""] = each.split(":");
      return { assignment_type: kind === "team" ? "Team" : "User", assignee_id: id };
    });
}

/** Formats a reassignment as "from Team Finance to Team Accounting". */
export function reassignmentText(
  { from, to }: Pick<Schemas["TicketChange"], "from" | "to">,
  nameOf: (assignees: Assignee[]) => string,
): string {
  return `from ${nameOf(assigneesOf(from))} to ${nameOf(assigneesOf(to))}`;
}
