import { Group, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../api";
import { RemoveButton } from "../../components/IconButton";
import { COMPARISONS, NULL_TESTS, type FilterCondition } from "../../graph/document";
import classes from "./editor.module.css";
import { readValue, writtenValue } from "./rowFilter";

const LABELS: Record<FilterCondition["op"], string> = {
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
const OPS = [...COMPARISONS, ...NULL_TESTS].map((value) => ({ value, label: LABELS[value] }));

interface Props {
  /** Its position in the filter, such as 2 or 2.1. */
  number: string;
  condition: FilterCondition;
  columns: Schemas["DataLakeColumn"][];
  inputs: string[];
  onChange: (condition: FilterCondition) => void;
  onRemove: () => void;
}

/** The option that selects a fixed value instead of an input. */
const LITERAL = "=";

/** One condition: a column, an operator and a value or input. */
export function ConditionRow({ number, condition, columns, inputs, onChange, onRemove }: Props) {
  const { column, op } = condition;
  const type = columns.find((each) => each.name === column)?.type ?? "VARCHAR";
  const [typed, setTyped] = useState("");
  // Keep partial input such as "3." (on the way to 3.5) while it has the same value as the condition.
  const isTyped = JSON.stringify(readValue(typed, op, type)) === JSON.stringify(condition.value);
  const text = isTyped ? typed : writtenValue(condition.value);
  const isNullTest = op === "is_null" || op === "is_not_null";
  const update = (change: Partial<FilterCondition>, written = text) => {
    const next = { ...condition, ...change };
    const nextType = columns.find((each) => each.name === next.column)?.type ?? type;
    if (next.op === "is_null" || next.op === "is_not_null") {
      onChange({ column: next.column, op: next.op });
    } else if (next.input) {
      onChange({ column: next.column, op: next.op, input: next.input });
    } else {
      // A text such as "Doe, Jane" in a list cannot be read back from what is shown.
      const isKept = written === text && next.op === op && nextType === type;
      onChange({
        column: next.column,
        op: next.op,
        value: isKept ? condition.value : readValue(written, next.op, nextType),
      });
    }
  };
  return (
    <Stack gap={4} className={classes.part} data-part={number}>
      <Group gap={6} wrap="nowrap">
        <Select
          size="xs"
          flex={1}
          searchable
          allowDeselect={false}
          aria-label={`Column of condition ${number}`}
          data={columns.map((each) => each.name)}
          value={column}
          onChange={(name) => name && update({ column: name })}
        />
        <Select
          size="xs"
          w={112}
          allowDeselect={false}
          aria-label={`Comparison of condition ${number}`}
          data={OPS}
          value={op}
          onChange={(chosen) => chosen && update({ op: chosen as FilterCondition["op"] })}
        />
        <RemoveButton label={`Remove condition ${number}`} onClick={onRemove} />
      </Group>
      {!isNullTest && (
        <Group gap={6} wrap="nowrap">
          {inputs.length > 0 && (
            <Select
              size="xs"
              w={112}
              allowDeselect={false}
              aria-label={`Condition ${number} compares with`}
              data={[
                { value: LITERAL, label: "this value" },
                { group: "An input", items: inputs },
              ]}
              value={condition.input ?? LITERAL}
              onChange={(chosen) => chosen && update({ input: chosen === LITERAL ? undefined : chosen })}
            />
          )}
          {!condition.input && (
            <TextInput
              size="xs"
              flex={1}
              aria-label={`Value of condition ${number}`}
              placeholder={op === "in" ? "red, green, blue" : undefined}
              value={text}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                update({}, event.currentTarget.value);
              }}
            />
          )}
        </Group>
      )}
    </Stack>
  );
}
