import { Button, Group, Select, TextInput } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { SearchField } from "../../components/SearchField";
import { useFilters } from "../../components/useFilters";
import { actionOptions } from "./actions";
import { SPANS } from "./useAuditQuery";

/** The filters of the log, which the URL holds. */
export function AuditFilterBar({ members }: { members: Schemas["Member"][] }) {
  const filters = useFilters();
  const action = filters.get("action");
  const isCustom = filters.get("time") === "custom";
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
      <Select
        label="Time"
        placeholder="Any time"
        clearable
        data={SPANS}
        value={filters.get("time") ?? null}
        onChange={(value) => filters.set("time", value)}
      />
      {isCustom && (
        <>
          <TextInput
            label="From"
            type="datetime-local"
            value={filters.get("from") ?? ""}
            onChange={(event) => filters.set("from", event.currentTarget.value)}
          />
          <TextInput
            label="Until"
            type="datetime-local"
            value={filters.get("until") ?? ""}
            onChange={(event) => filters.set("until", event.currentTarget.value)}
          />
        </>
      )}
      {filters.any && (
        <Button variant="subtle" onClick={filters.clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
