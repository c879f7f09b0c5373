import { Select } from "@mantine/core";
import { useMembers, useTeams } from "../api";

export interface Assignee {
  assignment_type: "User" | "Team";
  assignee_id: string;
}

interface Props {
  label: string;
  value: Assignee | null;
  error?: string;
  /** Whether the dialog puts its focus here when it opens. */
  initialFocus?: boolean;
  onChange: (value: Assignee) => void;
}

/** Picks a member or a team of the organization. */
export function AssigneePicker({ label, value, error, initialFocus, onChange }: Props) {
  const { data: members = [] } = useMembers();
  const { data: teams = [] } = useTeams();
  return (
    <Select
      label={label}
      placeholder="Choose a person or a team"
      searchable
      openOnFocus={!initialFocus}
      data-autofocus={initialFocus}
      allowDeselect={false}
      error={error}
      data={[
        { group: "Teams", items: teams.map((each) => ({ value: `Team ${each.id}`, label: each.name })) },
        {
          group: "People",
          items: members.map(({ id, name, email, status }) => ({
            value: `User ${id}`,
            label: `${name} · ${email}${status === "invited" ? " · invited" : ""}`,
          })),
        },
      ]}
      value={value && `${value.assignment_type} ${value.assignee_id}`}
      onChange={(chosen) => {
        const [type, id] = (chosen ?? "").split(" ");
        if ((type === "User" || type === "Team") && id) {
          onChange({ assignment_type: type, assignee_id: id });
        }
      }}
    />
  );
}
