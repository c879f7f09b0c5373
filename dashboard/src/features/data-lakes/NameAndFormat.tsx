import { Select, TextInput } from "@mantine/core";
import { FORMATS, type Format } from "./formats";

interface Props {
  name: string;
  onName: (name: string) => void;
  format: Format | null;
  onFormat: (format: Format) => void;
  disabled: boolean;
  /** The fault of a field, by its pointer. */
  at: (path: string) => string | undefined;
}

/** What every data set has, wherever it comes from. */
export function NameAndFormat({ name, onName, format, onFormat, disabled, at }: Props) {
  return (
    <>
      <TextInput
        label="Name"
        required
        maxLength={200}
        value={name}
        disabled={disabled}
        error={at("/name")}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <Select
        label="Format"
        required
        allowDeselect={false}
        data={FORMATS}
        value={format}
        disabled={disabled}
        error={at("/format")}
        onChange={(value) => onFormat(value as Format)}
      />
    </>
  );
}
