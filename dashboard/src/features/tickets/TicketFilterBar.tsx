import { Checkbox, Group, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { useTeams } from "../../api";
import { AgentFilter } from "../../components/AgentFilter";
import { countSet, FilterBar } from "../../components/FilterBar";
import { SearchField } from "../../components/SearchField";
import {
  hasStatuses,
  inUrl,
  scopesBeside,
  sortOptions,
  STATUS_OPTIONS,
  type TicketFilters,
} from "./ticketFilters";
import { useTicketCount } from "./useTicketList";
import classes from "./tickets.module.css";

interface Props {
  filters: TicketFilters;
  set: (name: string, value: string | null) => void;
}

/** The filters of the inbox, which the URL holds. */
export function TicketFilterBar({ filters, set }: Props) {
  const { data: teams = [] } = useTeams();
  const used = countSet([
    filters.agent,
    filters.team,
    filters.overdue,
    filters.tests,
    hasStatuses(filters.scope) && filters.status !== "open",
  ]);
  return (
    <Stack gap={10}>
      <div className={`${classes.tabs} screenOnly`}>
        <SegmentedControl
          aria-label="Assignee"
          data={scopesBeside(filters).map(({ value, ...label }) => ({
            value,
            label: <ScopeLabel {...label} filters={{ ...filters, scope: value }} />,
          }))}
          value={filters.scope}
          onChange={(value) => set("assignee", inUrl("assignee", value))}
        />
      </div>
      <FilterBar
        used={used}
        search={
          <SearchField
            id="ticket-search"
            aria-label="Search tickets"
            placeholder="Number or text"
            maxLength={200}
            searched={filters.search}
            onSearch={(text) => set("search", text)}
          />
        }
      >
        {hasStatuses(filters.scope) && (
          <Select
            aria-label="Status"
            w={112}
            allowDeselect={false}
            data={STATUS_OPTIONS}
            value={filters.status}
            onChange={(value) => set("status", inUrl("status", value))}
          />
        )}
        <AgentFilter unlabelled value={filters.agent} onChange={(agent) => set("agent", agent)} />
        {teams.length > 0 && (
          <Select
            aria-label="Team"
            placeholder="All teams"
            w={132}
            clearable
            data={teams.map((team) => ({ value: String(team.id), label: team.name }))}
            value={filters.team === undefined ? null : String(filters.team)}
            onChange={(team) => set("team", team)}
          />
        )}
        <Select
          aria-label="Sort by"
          w={136}
          allowDeselect={false}
          data={sortOptions(filters)}
          value={filters.sort}
          onChange={(value) => set("sort", value === sortOptions(filters)[0]?.value ? null : value)}
        />
        <Group gap="sm" wrap="nowrap" flex="none">
          <Checkbox
            label="Overdue"
            checked={filters.overdue}
            onChange={(event) => set("overdue", event.currentTarget.checked ? "true" : null)}
          />
          <Checkbox
            label="Include tests"
            checked={filters.tests}
            onChange={(event) => set("tests", event.currentTarget.checked ? "true" : null)}
          />
        </Group>
      </FilterBar>
    </Stack>
  );
}

/** A scope with the number of its tickets that match the other filters. */
function ScopeLabel({ label, detail, filters }: { label: string; detail: string; filters: TicketFilters }) {
  const count = useTicketCount(filters);
  return (
    <span>
      {label}
      {/* Phones have no room for it. */}
      <Text span inherit visibleFrom="xs">
        {detail}
      </Text>{" "}
      <span style={{ fontVariantNumeric: "tabular-nums", opacity: 0.85 }}>{count}</span>
    </span>
  );
}
