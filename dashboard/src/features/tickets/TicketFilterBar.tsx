import { Checkbox, Group, SegmentedControl, Select } from "@mantine/core";
import { useTeams } from "../../api/queries";
import { AgentFilter } from "../../components/AgentFilter";
import { SearchField } from "../../components/SearchField";
import { inUrl, SCOPES, SORT_OPTIONS, STATUS_OPTIONS, type TicketFilters } from "./ticketFilters";
import { useTicketCount } from "./useTicketList";

interface Props {
  orgId: string;
  filters: TicketFilters;
  set: (name: string, value: string | null) => void;
}

/** The filters of the inbox, which the URL holds. */
export function TicketFilterBar({ orgId, filters, set }: Props) {
  const { data: teams = [] } = useTeams(orgId);
  return (
    <>
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Assignee"
          data={SCOPES.map(({ value, label }) => ({
            value,
            label: <ScopeLabel orgId={orgId} label={label} filters={{ ...filters, scope: value }} />,
          }))}
          value={filters.scope}
          onChange={(value) => set("assignee", inUrl("assignee", value))}
        />
        <Checkbox
          label="Overdue only"
          checked={filters.overdue}
          onChange={(event) => set("overdue", event.currentTarget.checked ? "true" : null)}
        />
      </Group>
      <Group align="flex-end" className="filters">
        <SearchField
          id="ticket-search"
          label="Search tickets"
          placeholder="Number, task or input"
          maxLength={200}
          w={{ base: "100%", xs: 230 }}
          searched={filters.search}
          onSearch={(text) => set("search", text)}
        />
        <Select
          label="Status"
          w={140}
          allowDeselect={false}
          data={STATUS_OPTIONS}
          value={filters.status}
          onChange={(value) => set("status", inUrl("status", value))}
        />
        <AgentFilter value={filters.agent} onChange={(agent) => set("agent", agent)} />
        {teams.length > 0 && (
          <Select
            label="Team"
            placeholder="Any"
            w={160}
            clearable
            data={teams.map((team) => ({ value: String(team.id), label: team.name }))}
            value={filters.team === undefined ? null : String(filters.team)}
            onChange={(team) => set("team", team)}
          />
        )}
        <Select
          label="Sort by"
          w={150}
          allowDeselect={false}
          data={SORT_OPTIONS}
          value={filters.sort}
          onChange={(value) => set("sort", inUrl("sort", value))}
        />
      </Group>
    </>
  );
}

/** A scope with the number of its tickets that match the other filters. */
function ScopeLabel({ orgId, label, filters }: { orgId: string; label: string; filters: TicketFilters }) {
  const count = useTicketCount(orgId, filters);
  return (
    <span>
      {label} <span style={{ fontVariantNumeric: "tabular-nums", opacity: 0.85 }}>{count}</span>
    </span>
  );
}
