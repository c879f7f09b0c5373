import type { Schemas } from "../../api/client";
import { personIn } from "../../api/organization";
import { useMembers, useTeams } from "../../api/queries";

/** Names the people and teams to whom a ticket is assigned. */
export function useAssigneeNames(orgId: string): (assignees: Schemas["TicketAssignee"][]) => string {
  const { data: members } = useMembers(orgId);
  const { data: teams } = useTeams(orgId);
  return (assignees) =>
    assignees
      .map(({ assignment_type, assignee_id }) =>
        assignment_type === "Team"
          ? `team ${teams?.find((each) => String(each.id) === assignee_id)?.name ?? assignee_id}`
          : personIn(members, assignee_id),
      )
      .join(", ") || "nobody";
}
