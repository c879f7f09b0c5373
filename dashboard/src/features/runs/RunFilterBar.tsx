import { MultiSelect, Pill, Select, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { AgentFilter } from "../../components/AgentFilter";
import { countSet, FilterBar } from "../../components/FilterBar";
import { SearchField } from "../../components/SearchField";
import { statusText } from "../../components/StatusLabel";
import { SelectFilter } from "../../components/filters";
import type { useFilters } from "../../components/useFilters";
import { SPANS, STATUSES, TEST_RUNS, type RunFilters } from "./runFilters";

interface Props {
  filters: RunFilters;
  params: ReturnType<typeof useFilters>;
  /** Shown after the filters. */
  after: ReactNode;
}

/** The filters of the list of runs, which the URL holds. */
export function RunFilterBar({ filters, params, after }: Props) {
  const setSpan = (value: string | null) =>
    params.setAll({ hours: value, ...(value !== "custom" && { from: null, to: null }) });
  return (
    <FilterBar
      labelled
      used={countSet([
        filters.statuses.length,
        filters.agent,
        filters.span,
        filters.testRuns,
        filters.parent,
      ])}
      clearable
      after={after}
      search={<SearchField label="Search" placeholder="Input text or run ID" maxLength={200} />}
    >
      <MultiSelect
        label="Status"
        placeholder={filters.statuses.length === 0 ? "All" : undefined}
        clearable
        miw={160}
        maw={340}
        data={STATUSES.map((value) => ({ value, label: statusText(value) }))}
        value={filters.statuses}
        onChange={(values) => params.set("status", values.join(",") || null)}
      />
      <AgentFilter />
      <Select
        label="Started"
        placeholder="Any time"
        clearable
        w={170}
        data={SPANS}
        value={filters.span ?? null}
        onChange={setSpan}
      />
      {filters.span === "custom" && (
        <>
          <RangeField label="From" value={filters.from} onChange={(value) => params.set("from", value)} />
          <RangeField label="To" value={filters.to} onChange={(value) => params.set("to", value)} />
        </>
      )}
      <SelectFilter param="test_run" label="Test runs" placeholder="Shown" w={160} data={TEST_RUNS} />
      {filters.parent && (
        <Pill
          size="md"
          mb={6}
          withRemoveButton
          removeButtonProps={{ "aria-label": "Show all runs" }}
          onRemove={() => params.set("parent", null)}
        >
          Sub-workflows of one run
        </Pill>
      )}
    </FilterBar>
  );
}

interface RangeProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | null) => void;
}

function RangeField({ label, value, onChange }: RangeProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}
