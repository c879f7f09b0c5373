import { Select, TextInput } from "@mantine/core";
import { FORMATS, type Format } from "./formats";

interface Props {
  name: string;
  onName: (name: string) => void;
  format: Format | null;
  onFormat: (format: Format) => void;
  disabled: boolean;
  /** Returns the error of a field by its JSON pointer. */
  at: (path: string) => string | undefined;
}

/** The fields common to all sources of a data set. */
export function NameAndFormatFields({ name, onName, format, onFormat, disabled, at }: Props) {
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
