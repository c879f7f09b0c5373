import { Select, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { FORMATS, type Format } from "./formats";

interface Props {
  inputProps: (field: "name" | "format") => GetInputPropsReturnType;
  nameError: string | undefined;
  format: Format | null;
  disabled: boolean;
}

/** The fields common to all sources of a data set. */
export function NameAndFormatFields({ inputProps, nameError, format, disabled }: Props) {
  return (
    <>
      <TextInput
        label="Name"
        required
        maxLength={200}
        disabled={disabled}
        {...inputProps("name")}
        error={nameError ?? inputProps("name").error}
      />
      <Select
        label="Format"
        required
        allowDeselect={false}
        data={FORMATS}
        disabled={disabled}
        {...inputProps("format")}
        value={format}
      />
    </>
  );
}
