import { Button, Group, Select, Switch } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { SearchField } from "../../components/SearchField";
import { TimeFilter } from "../../components/TimeFilter";
import { useFilters } from "../../components/useFilters";
import { actionOptions } from "./actions";
import { showsEverything } from "./useAuditQuery";

/** The filters of the log, which the URL holds. */
export function AuditFilterBar({ members }: { members: Schemas["Member"][] }) {
  const filters = useFilters();
  const action = filters.get("action");
  return (
    <Group align="flex-end" className="filters">
      <Select
        label="Person"
        placeholder="All"
        clearable
        searchable
        data={members.map((each) => ({ value: each.id, label: each.name }))}
        value={filters.get("person") ?? null}
        onChange={(value) => filters.set("person", value)}
      />
      <Select
        label="Action"
        placeholder="All"
        clearable
        searchable
        data={actionOptions(action)}
        value={action ?? null}
        onChange={(value) => filters.set("action", value)}
        nothingFoundMessage="No such action"
      />
      <SearchField
        label="Target"
        placeholder="Name or ID"
        maxLength={300}
        searched={filters.get("target") ?? ""}
        onSearch={(text) => filters.set("target", text)}
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
    </Group>
  );
}
