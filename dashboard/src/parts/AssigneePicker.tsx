import { Select } from "@mantine/core";
import { useOrganizationId } from "../api/organization";
import { useMembers, useTeams } from "../api/queries";

export interface Assignee {
  assignment_type: "User" | "Team";
  assignee_id: string;
}

interface Props {
  label: string;
  value: Assignee | null;
  error?: string;
  /** Whether a dialog begins here. */
  first?: boolean;
  onChange: (value: Assignee) => void;
}

/** Chooses a person or a team of the organization. */
export function AssigneePicker({ label, value, error, first, onChange }: Props) {
  const orgId = useOrganizationId();
  const { data: members = [] } = useMembers(orgId);
  const { data: teams = [] } = useTeams(orgId);
  return (
    <Select
      label={label}
      placeholder="A person or a team"
      searchable
      openOnFocus={!first}
      data-autofocus={first}
      allowDeselect={false}
      error={error}
      data={[
        { group: "Teams", items: teams.map((each) => ({ value: `Team ${each.id}`, label: each.name })) },
        {
          group: "People",
          items: members.map((each) => ({ value: `User ${each.id}`, label: `${each.name} · ${each.email}` })),
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
