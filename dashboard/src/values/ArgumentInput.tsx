import { CloseButton, Group, Input, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { memberLabel } from "../components/memberLabel";
import { optionsOf } from "../components/optionsOf";
import { QuietAddButton } from "../components/variants";
import { ValueInput } from "./ValueInput";
import type { RawValue, ValueField } from "./valueFields";
import { ANY, PAIRS, pairsOf, type Pair } from "./schemaFields";

interface Props {
  field: ValueField;
  value: RawValue;
  error?: string;
  /** Whether the value of an ANY field is JSON. */
  isJson: boolean;
  onJson: (isJson: boolean) => void;
  onChange: (value: RawValue) => void;
}

/** The input for an argument of a tool. */
export function ArgumentInput({ isJson, onJson, ...props }: Props) {
  const { field } = props;
  if (field.type === PAIRS) {
    return <PairsInput {...props} />;
  }
  if (field.type !== ANY) {
    return <ValueInput {...props} label={memberLabel(field.name)} />;
  }
  return (
    <Stack gap={6}>
      <ValueInput
        {...props}
        label={memberLabel(field.name)}
        field={{ ...field, type: isJson ? "OBJECT" : "STRING" }}
      />
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={`Format of ${field.name}`}
          data={optionsOf({ text: "Text", json: "JSON" })}
          value={isJson ? "json" : "text"}
          onChange={(format) => onJson(format === "json")}
        />
      </Group>
    </Stack>
  );
}

/** Names with values, such as headers. */
function PairsInput({ field, value, error, onChange }: Omit<Props, "isJson" | "onJson">) {
  const pairs = pairsOf(value);
  const set = (next: Pair[]) => onChange(JSON.stringify(next));
  return (
    <Input.Wrapper
      labelElement="div"
      label={memberLabel(field.name)}
      description={field.description}
      required={field.required}
      error={error}
    >
      <Stack gap={6} mt={pairs.length > 0 ? 6 : 0}>
        {pairs.map(([name, text], index) => (
          // Pairs have no IDs, and their names change while typing.
          // oxlint-disable-next-line react/no-array-index-key
          <Group key={index} gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={`Name ${index + 1} of ${field.name}`}
              placeholder="Name"
              autoFocus={name === "" && text === ""}
              value={name}
              onChange={(event) => set(pairs.with(index, [event.currentTarget.value, text]))}
            />
            <TextInput
              flex={2}
              aria-label={`Value ${index + 1} of ${field.name}`}
              placeholder="Value"
              value={text}
              onChange={(event) => set(pairs.with(index, [name, event.currentTarget.value]))}
            />
            <CloseButton
              aria-label={`Remove ${name || `row ${index + 1}`} of ${field.name}`}
              onClick={() => set(pairs.toSpliced(index, 1))}
            />
          </Group>
        ))}
        <Group>
          <QuietAddButton onClick={() => set([...pairs, ["", ""]])}>Add to {field.name}</QuietAddButton>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
