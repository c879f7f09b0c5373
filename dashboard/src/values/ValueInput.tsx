import { Group, Radio, Select, Textarea, TextInput } from "@mantine/core";
import { JsonField } from "../components/JsonField";
import { StructureInput } from "./StructureInput";
import { structureOf } from "./structures";
import type { RawValue, ValueField } from "./valueFields";

interface Props {
  field: ValueField;
  /** Instead of the name of the field. */
  label?: string;
  value: RawValue;
  error?: string;
  disabled?: boolean;
  onChange: (value: RawValue) => void;
}

/** An input for one of Parley's value types. */
export function ValueInput({ field, label = field.name, value, error, disabled, onChange }: Props) {
  const common = {
    label,
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
        placeholder={field.required ? "Choose one" : "Default"}
        data={field.choices}
        value={text || null}
        onChange={(chosen) => onChange(chosen)}
        maw={260}
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
          <Group mt={6} mb={error ? 6 : undefined}>
            {/* For the focus on the first error; ARIA allows aria-invalid only at the group. */}
            <Radio value="true" label="Yes" disabled={disabled} data-invalid={error ? true : undefined} />
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
      return structureOf(field) ? (
        <StructureInput
          field={field}
          label={label}
          value={value}
          error={error}
          disabled={disabled}
          onChange={onChange}
        />
      ) : (
        <JsonField
          {...common}
          name={label}
          // The input hides other errors while its text is not JSON.
          validationError={error ?? "This isn’t valid JSON."}
          placeholder={field.type === "ARRAY" ? '["first", "second"]' : '{"name": "value"}'}
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
