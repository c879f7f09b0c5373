import { ActionIcon, Button, Group, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import {
  COMPARISONS,
  inputsOf,
  NULL_TESTS,
  type Condition,
  type InputParameter,
  type RowFilter,
  type Task,
} from "../../graph/document";
import { useFaultAt } from "./faults";
import { conditionsOf, filterOf, readValue, writtenValue, type Join } from "./rowFilter";

const WORDS: Record<Condition["op"], string> = {
  "=": "is",
  "!=": "is not",
  "<": "<",
  "<=": "≤",
  ">": ">",
  ">=": "≥",
  in: "is one of",
  contains: "contains",
  starts_with: "starts with",
  is_null: "is empty",
  is_not_null: "is not empty",
};
const OPS = [...COMPARISONS, ...NULL_TESTS].map((value) => ({ value, label: WORDS[value] }));

interface Props {
  task: Task;
  input: InputParameter;
  columns: Schemas["DataLakeColumn"][];
  path: string;
  onChange: (change: { filter: RowFilter | undefined }) => void;
}

/** Which rows: a list of conditions. A filter that is a deeper tree is left to the JSON view. */
export function FilterFields({ task, input, columns, path, onChange }: Props) {
  const at = useFaultAt();
  const read = conditionsOf(input.filter);
  if (read === null) {
    return (
      <Text size="xs" c="dimmed">
        Rows are filtered by conditions within conditions; these are edited in the JSON view.
      </Text>
    );
  }
  const { join, conditions } = read;
  const set = (next: Condition[], by: Join = join) => onChange({ filter: filterOf(by, next) });
  const others = inputsOf(task)
    .filter((each) => each.name !== input.name && each.type !== "ARRAY" && each.type !== "OBJECT")
    .map((each) => each.name);
  const first = columns[0]?.name ?? "";
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text size="xs" fw={500}>
          Only rows where
        </Text>
        {conditions.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label="How many of the conditions hold"
            data={[
              { value: "all", label: "all hold" },
              { value: "any", label: "one holds" },
            ]}
            value={join}
            onChange={(by) => set(conditions, by as Join)}
          />
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={12} />}
          onClick={() => set([...conditions, { column: first, op: "=", value: "" }])}
        >
          Add condition
        </Button>
      </Group>
      {conditions.map((condition, index) => (
        <ConditionRow
          // Conditions have no ids; their place is all there is.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          number={index + 1}
          condition={condition}
          columns={columns}
          inputs={others}
          onChange={(changed) => set(conditions.with(index, changed))}
          onRemove={() => set(conditions.toSpliced(index, 1))}
        />
      ))}
      <Faulty text={faultsBelow(at, path, conditions.length)} />
    </Stack>
  );
}

/** The service points into the filter's tree; which condition it means, the sentence says. */
function faultsBelow(at: (path: string) => string | undefined, path: string, count: number) {
  const places = [`${path}/filter`];
  for (let index = 0; index < count; index++) {
    for (const join of ["", `/all/${index}`, `/any/${index}`]) {
      places.push(...["", "/column", "/op", "/value", "/input"].map((end) => `${path}/filter${join}${end}`));
    }
  }
  return [...new Set(places.map(at).filter(Boolean))].join(" ");
}

function Faulty({ text }: { text: string }) {
  return text ? (
    <Text size="xs" c="var(--mantine-color-error)">
      {text}
    </Text>
  ) : null;
}

interface RowProps {
  number: number;
  condition: Condition;
  columns: Schemas["DataLakeColumn"][];
  inputs: string[];
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

const A_VALUE = "=";

function ConditionRow({ number, condition, columns, inputs, onChange, onRemove }: RowProps) {
  const { column, op } = condition;
  const type = columns.find((each) => each.name === column)?.type ?? "VARCHAR";
  const [typed, setTyped] = useState("");
  // What was typed ("3." on the way to 3.5) is shown as long as it still is what the condition says.
  const isTyped = JSON.stringify(readValue(typed, op, type)) === JSON.stringify(condition.value);
  const text = isTyped ? typed : writtenValue(condition.value);
  const comparesNothing = op === "is_null" || op === "is_not_null";
  const compare = (change: Partial<Condition>, written = text) => {
    const next = { ...condition, ...change };
    const nextType = columns.find((each) => each.name === next.column)?.type ?? type;
    if (next.op === "is_null" || next.op === "is_not_null") {
      onChange({ column: next.column, op: next.op });
    } else if (next.input) {
      onChange({ column: next.column, op: next.op, input: next.input });
    } else {
      onChange({ column: next.column, op: next.op, value: readValue(written, next.op, nextType) });
    }
  };
  return (
    <Stack gap={4} pl="sm" style={{ borderLeft: "2px solid var(--mantine-color-default-border)" }}>
      <Group gap={6} wrap="nowrap">
        <Select
          size="xs"
          flex={1}
          searchable
          allowDeselect={false}
          aria-label={`Column of condition ${number}`}
          data={columns.map((each) => each.name)}
          value={column}
          onChange={(name) => name && compare({ column: name })}
        />
        <Select
          size="xs"
          w={112}
          allowDeselect={false}
          aria-label={`Comparison of condition ${number}`}
          data={OPS}
          value={op}
          onChange={(chosen) => chosen && compare({ op: chosen as Condition["op"] })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove condition ${number}`}
          onClick={onRemove}
        >
          <IconTrash size={14} />
        </ActionIcon>
      </Group>
      {!comparesNothing && (
        <Group gap={6} wrap="nowrap">
          {inputs.length > 0 && (
            <Select
              size="xs"
              w={112}
              allowDeselect={false}
              aria-label={`Condition ${number} compares with`}
              data={[
                { value: A_VALUE, label: "this value" },
                { group: "An input", items: inputs },
              ]}
              value={condition.input ?? A_VALUE}
              onChange={(chosen) => chosen && compare({ input: chosen === A_VALUE ? undefined : chosen })}
            />
          )}
          {!condition.input && (
            <TextInput
              size="xs"
              flex={1}
              aria-label={`Value of condition ${number}`}
              placeholder={op === "in" ? "one, another, a third" : undefined}
              value={text}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                compare({}, event.currentTarget.value);
              }}
            />
          )}
        </Group>
      )}
    </Stack>
  );
}
