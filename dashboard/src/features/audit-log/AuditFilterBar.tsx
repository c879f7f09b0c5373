import { Button, Switch } from "@mantine/core";
import type { Schemas } from "../../api";
import { countSet, FilterBar } from "../../components/FilterBar";
import { SearchField } from "../../components/SearchField";
import { TimeFilter } from "../../components/TimeFilter";
import { SelectFilter } from "../../components/filters";
import { useFilters } from "../../components/useFilters";
import { actionOptions } from "./actions";
import { showsEverything } from "./useAuditQuery";

interface Props {
  members: Schemas["Member"][];
  /** The shown entries, which name people who are no longer members. */
  entries: Schemas["AuditEntry"][];
}

/** The filters of the log, which the URL holds. */
export function AuditFilterBar({ members, entries }: Props) {
  const filters = useFilters();
  const action = filters.get("action");
  return (
    <FilterBar
      labelled
      used={countSet([filters.get("person"), action, filters.get("time"), filters.get("show")])}
      search={<SearchField label="Target" placeholder="Name or ID" maxLength={300} param="target" />}
    >
      <SelectFilter param="person" label="Person" w={180} searchable data={people(members, entries)} />
      <SelectFilter
        param="action"
        label="Action"
        w={190}
        searchable
        data={actionOptions(action)}
        nothingFoundMessage="No such action"
      />
      <TimeFilter />
      <Switch
        label="Changes only"
        mb={8}
        disabled={filters.get("action") !== undefined}
        checked={!showsEverything(filters)}
        onChange={(event) => filters.set("show", event.currentTarget.checked ? null : "all")}
      />
      {filters.any && (
        <Button variant="subtle" onClick={filters.clear}>
          Clear filters
        </Button>
      )}
    </FilterBar>
  );
}

function people(members: Schemas["Member"][], entries: Schemas["AuditEntry"][]) {
  const current = new Set(members.map(({ id }) => id));
  const former = new Map(
    entries.filter((each) => !current.has(each.user_id)).map((each) => [each.user_id, each.actor]),
  );
  return [
    ...members.map((each) => ({ value: each.id, label: each.name })),
    ...[...former].map(([value, label]) => ({ value, label })),
  ];
}
