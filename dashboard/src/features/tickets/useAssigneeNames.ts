import { useMe, useMembers, useTeams, type Schemas } from "../../api";
import { memberName } from "../../components/actorNames";
import { usePrinting } from "../../components/usePrinting";

/** Formats the assignees of a ticket as names; the signed-in person comes first, as "you", on paper by name. */
export function useAssigneeNames(): (assignees: Schemas["TicketAssignee"][]) => string {
  const { data: members } = useMembers();
  const { data: teams } = useTeams();
  const { data: me } = useMe();
  const printing = usePrinting();
  const isMe = ({ assignment_type, assignee_id }: Schemas["TicketAssignee"]) =>
    assignment_type === "User" && assignee_id === me?.id;
  return (assignees) =>
    [
      ...(assignees.some(isMe) ? [printing ? memberName(members, me?.id ?? "") : "you"] : []),
      ...assignees
        .filter((each) => !isMe(each))
        .map(({ assignment_type, assignee_id }) =>
          assignment_type === "Team"
            ? `Team ${teams?.find((each) => String(each.id) === assignee_id)?.name ?? assignee_id}`
            : memberName(members, assignee_id),
        ),
    ].join(", ") || "nobody";
}
