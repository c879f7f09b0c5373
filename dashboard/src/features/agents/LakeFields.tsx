import { Anchor, MultiSelect, NumberInput, Select, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { useDataLakes } from "../../api/queries";
import type { InputParameter, Property, Task } from "../../graph/document";
import { FilterFields } from "./FilterFields";
import { useFaultAt } from "./faults";
import { basicType } from "../../parts/columnType";

const MOST_ROWS = 10_000;

interface Props {
  task: Task;
  input: InputParameter;
  path: string;
  onChange: (change: Partial<InputParameter>) => void;
}

/** Which rows of which data set an input takes. */
export function LakeFields({ task, input, path, onChange }: Props) {
  const orgId = useOrganizationId();
  const { data: lakes = [] } = useDataLakes(orgId);
  const at = useFaultAt();
  const lake = lakes.find((each) => each.id === input.data_lake_id);
  const columns = lake?.columns ?? [];
  const choose = (id: string | null) => {
    const chosen = lakes.find((each) => each.id === id);
    if (chosen) {
      onChange({
        data_lake_id: chosen.id,
        columns: undefined,
        filter: undefined,
        ...(isUndescribed(input) ? { items: { type: "OBJECT", properties: propertiesOf(chosen) } } : {}),
      });
    }
  };
  return (
    <Stack gap={6}>
      <Select
        size="xs"
        label="Data set"
        placeholder="Choose one"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No data set is called so"
        // What the document names stays to be seen, though it be gone.
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
        <Text size="xs" c="dimmed">
          There is none yet: upload one under{" "}
          <Anchor component={Link} inherit to={`/organizations/${orgId}/data`}>
            Data
          </Anchor>
          .
        </Text>
      )}
      {lake && (
        <>
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
            label="Rows at most"
            placeholder={`All; the task fails if there are more than ${MOST_ROWS.toLocaleString()}`}
            min={1}
            max={MOST_ROWS}
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
    ? [...known, { value: id, label: `${id} (not there)` }]
    : known;
}

/** Whether nobody has said yet what the items are: texts is what a new list begins with. */
function isUndescribed({ items }: InputParameter): boolean {
  return !items || items.type === "STRING" || (items.type === "OBJECT" && !items.properties?.length);
}

/** Rows are objects of their columns; what has no basic type, such as a list, goes without a description. */
function propertiesOf(lake: Schemas["DataLake"]): Property[] {
  return lake.columns.flatMap(({ name, type }) => {
    const basic = basicType(type);
    return basic ? [{ name, type: basic, description: `Column ${name}`, required: false }] : [];
  });
}
