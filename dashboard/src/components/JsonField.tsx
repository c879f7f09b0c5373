import { JsonInput, type JsonInputProps } from "@mantine/core";
import { IconAlignLeft } from "@tabler/icons-react";
import { IconButton } from "./IconButton";
import { formattedJson } from "./json";

interface Props extends Omit<JsonInputProps, "value" | "onChange"> {
  /** The text that the button formats. */
  name: string;
  value: string;
  onChange: (text: string) => void;
}

/** JSON as text. A button formats it: formatting on blur would move what is clicked below. */
export function JsonField({ name, value, onChange, disabled, ...input }: Props) {
  const formatted = formattedJson(value);
  const canFormat = !disabled && formatted !== value;
  return (
    <JsonInput
      autosize
      minRows={3}
      maxRows={16}
      {...input}
      disabled={disabled}
      value={value}
      onChange={onChange}
      rightSectionProps={{ style: { alignItems: "flex-start", paddingTop: 6 } }}
      rightSection={
        canFormat && (
          <IconButton
            icon={IconAlignLeft}
            label={`Format ${name}`}
            variant="subtle"
            size="sm"
            title="Format"
            onClick={() => onChange(formatted)}
          />
        )
      }
    />
  );
}
