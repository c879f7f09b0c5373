import { ActionIcon, Group, Select, Stack, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { COMPARISONS, NULL_TESTS, type Condition } from "../../graph/document";
import classes from "./editor.module.css";
import { readValue, writtenValue } from "./rowFilter";

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
  /** Its place among the others, such as 2 or 2.1. */
  number: string;
  condition: Condition;
  columns: Schemas["DataLakeColumn"][];
  inputs: string[];
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

const A_VALUE = "=";

/** One comparison: a column, how, and with what. */
export function ConditionRow({ number, condition, columns, inputs, onChange, onRemove }: Props) {
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
