import { Group, JsonInput, Radio, Select, Textarea, TextInput } from "@mantine/core";
import type { RawValue, ValueField } from "./valueFields";

interface Props {
  field: ValueField;
  value: RawValue;
  error?: string;
  disabled?: boolean;
  onChange: (value: RawValue) => void;
}

/** An input for one of Parley's value types. */
export function ValueInput({ field, value, error, disabled, onChange }: Props) {
  const common = {
    label: field.name,
    description: field.description,
    required: field.required,
    error,
    disabled,
  };
  const text = typeof value === "string" ? value : "";
  if (field.choices) {
    return (
      <Select
        {...common}
        clearable={!field.required}
        placeholder={field.required ? "Choose one" : "None"}
        data={field.choices}
        value={text || null}
        onChange={(chosen) => onChange(chosen)}
        maw={400}
      />
    );
  }
  switch (field.type) {
    case "BOOLEAN":
      return (
        <Radio.Group
          {...common}
          value={value === null ? "" : String(value)}
          onChange={(chosen) => onChange(chosen === "true")}
        >
          <Group mt={6}>
            <Radio value="true" label="Yes" disabled={disabled} />
            <Radio value="false" label="No" disabled={disabled} />
          </Group>
        </Radio.Group>
      );
    case "INTEGER":
    case "FLOAT":
      return (
        <TextInput
          {...common}
          inputMode={field.type === "INTEGER" ? "numeric" : "decimal"}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          maw={260}
        />
      );
    case "DATETIME":
      return (
        <TextInput
          {...common}
          type="datetime-local"
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          maw={260}
        />
      );
    case "ARRAY":
    case "OBJECT":
      return (
        <JsonInput
          {...common}
          autosize
          minRows={2}
          maxRows={12}
          formatOnBlur
          // The input hides other errors while its text is not JSON.
          validationError={error ?? "This isn’t valid JSON."}
          placeholder={field.type === "ARRAY" ? "[ ]" : "{ }"}
          value={text}
          onChange={onChange}
        />
      );
    default:
      return (
        <Textarea
          {...common}
          autosize
          minRows={1}
          maxRows={14}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
