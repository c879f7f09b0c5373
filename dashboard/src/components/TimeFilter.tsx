import { Select, TextInput } from "@mantine/core";
import { optionsOf } from "./optionsOf";
import { useFilters } from "./useFilters";

const SPANS = optionsOf({ 24: "Last 24 hours", 168: "Last 7 days", 720: "Last 30 days", custom: "Custom…" });

/** Filters a list by time; useTimeSpan reads the values from the URL. */
export function TimeFilter() {
  const filters = useFilters();
  return (
    <>
      <Select
        label="Time"
        placeholder="Any time"
        clearable
        w={170}
        data={SPANS}
        value={filters.get("time") ?? null}
        onChange={(value) => filters.setAll({ time: value, from: null, until: null })}
      />
      {filters.get("time") === "custom" && (
        <>
          <TimeField label="From" name="from" />
          <TimeField label="Until" name="until" />
        </>
      )}
    </>
  );
}

function TimeField({ label, name }: { label: string; name: string }) {
  const filters = useFilters();
  return (
    <TextInput
      label={label}
      type="datetime-local"
      value={filters.get(name) ?? ""}
      onChange={(event) => filters.set(name, event.currentTarget.value)}
    />
  );
}
