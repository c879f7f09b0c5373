import type { Schemas } from "../../api/client";
import { memberName } from "../../api/organization";
import { useMembers, useTeams } from "../../api/queries";

/** Formats the assignees of a ticket as names. */
export function useAssigneeNames(orgId: string): (assignees: Schemas["TicketAssignee"][]) => string {
  const { data: members } = useMembers(orgId);
  const { data: teams } = useTeams(orgId);
  return (assignees) =>
    assignees
      .map(({ assignment_type, assignee_id }) =>
        assignment_type === "Team"
          ? `Team ${teams?.find((each) => String(each.id) === assignee_id)?.name ?? assignee_id}`
          : memberName(members, assignee_id),
      )
      .join(", ") || "Nobody";
}
