import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useTeams } from "../../api";
import { AgentFilter } from "../../components/AgentFilter";
import { countSet, FilterBar } from "../../components/FilterBar";
import { SearchField } from "../../components/SearchField";
import { SelectFilter, CheckboxFilter } from "../../components/filters";
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
  const sorts = sortOptions(filters);
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
          />
        }
      >
        {hasStatuses(filters.scope) && (
          <SelectFilter param="status" standard="open" aria-label="Status" w={112} data={STATUS_OPTIONS} />
        )}
        <AgentFilter unlabelled />
        {teams.length > 0 && (
          <SelectFilter
            param="team"
            aria-label="Team"
            placeholder="All teams"
            w={132}
            data={teams.map((team) => ({ value: String(team.id), label: team.name }))}
          />
        )}
        <SelectFilter
          param="sort"
          standard={sorts[0]?.value}
          aria-label="Sort by"
          w={136}
          data={sorts}
          value={filters.sort}
        />
        <Group gap="sm" wrap="nowrap" flex="none">
          <CheckboxFilter param="overdue" label="Overdue" />
          <CheckboxFilter param="tests" label="Include tests" />
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
