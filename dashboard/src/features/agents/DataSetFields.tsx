import { Button, MultiSelect, NumberInput, Select, Stack } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { TextLink } from "../../components/PageLink";
import { useDataLakes, type Schemas } from "../../api";
import { DimmedXs } from "../../components/variants";
import type { InputParameter, Property, Task } from "../../graph/document";
import { FilterFields } from "./FilterFields";
import { useIssuesAt } from "../../values/validation";
import { inputTypeOf } from "../../values/columnType";

const MAX_ROWS = 10_000;

interface Props {
  task: Task;
  input: InputParameter;
  path: string;
  onChange: (change: Partial<InputParameter>) => void;
}

/** The data set of an input, with columns, row filter and limit. */
export function DataSetFields({ task, input, path, onChange }: Props) {
  const { data: lakes = [] } = useDataLakes();
  const at = useIssuesAt();
  const lake = lakes.find((each) => each.id === input.data_lake_id);
  const columns = lake?.columns ?? [];
  const choose = (id: string | null) => {
    const chosen = lakes.find((each) => each.id === id);
    if (chosen) {
      onChange({
        data_lake_id: chosen.id,
        columns: undefined,
        filter: undefined,
        ...(hasDefaultItems(input) ? { items: { type: "OBJECT", properties: propertiesOf(chosen) } } : {}),
      });
    }
  };
  return (
    <Stack gap={6}>
      <Select
        size="xs"
        label="Data set"
        placeholder="Choose a data set"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No matching data set"
        // Keep showing a data set that has been deleted.
        data={withUnknown(
          lakes
            .filter((each) => each.status === "READY")
            .map((each) => ({ value: each.id, label: each.name })),
          input.data_lake_id,
        )}
        value={input.data_lake_id ?? null}
        error={at(`${path}/data_lake_id`)}
        onChange={choose}
      />
      {lakes.length === 0 && (
        <DimmedXs>
          No data sets yet. Upload one under <TextLink to="data">Data</TextLink>.
        </DimmedXs>
      )}
      {lake && (
        <>
          {lacksColumns(input, lake) && (
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<IconRefresh size={12} />}
              style={{ alignSelf: "flex-start" }}
              onClick={() => onChange({ items: { type: "OBJECT", properties: propertiesOf(lake) } })}
            >
              Update items from data set
            </Button>
          )}
          <MultiSelect
            size="xs"
            label="Columns"
            placeholder={input.columns?.length ? undefined : "All"}
            searchable
            clearable
            data={columns.map((each) => each.name)}
            value={input.columns ?? []}
            error={at(`${path}/columns`)}
            onChange={(names) => onChange({ columns: names.length > 0 ? names : undefined })}
          />
          <FilterFields task={task} input={input} columns={columns} path={path} onChange={onChange} />
          <NumberInput
            size="xs"
            label="Row limit"
            placeholder={`None (fails above ${MAX_ROWS.toLocaleString()} rows)`}
            min={1}
            max={MAX_ROWS}
            allowDecimal={false}
            value={input.limit ?? ""}
            error={at(`${path}/limit`)}
            onChange={(value) => onChange({ limit: value === "" ? undefined : Number(value) })}
          />
        </>
      )}
    </Stack>
  );
}

function withUnknown(known: { value: string; label: string }[], id: string | null | undefined) {
  return id && !known.some((each) => each.value === id)
    ? [...known, { value: id, label: `${id} (deleted)` }]
    : known;
}

/** Whether the items still have the default type of a new list. */
function hasDefaultItems({ items }: InputParameter): boolean {
  return !items || items.type === "STRING" || (items.type === "OBJECT" && !items.properties?.length);
}

/** Whether the items are objects without a column of the data set that the input reads. */
function lacksColumns({ items, columns }: InputParameter, lake: Schemas["DataLake"]): boolean {
  const declared = items?.properties?.map((each) => each.name) ?? [];
  return (
    items?.type === "OBJECT" &&
    propertiesOf(lake).some(
      ({ name }) => !declared.includes(name) && (!columns?.length || columns.includes(name)),
    )
  );
}

/** The columns as object properties; columns without a basic type, such as lists, are left out. */
function propertiesOf(lake: Schemas["DataLake"]): Property[] {
  return lake.columns.flatMap(({ name, type }) => {
    const basic = inputTypeOf(type);
    return basic ? [{ name, type: basic, description: `Column ${name}`, required: false }] : [];
  });
}
