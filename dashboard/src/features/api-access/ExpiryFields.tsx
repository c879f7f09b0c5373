import { Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { EXPIRY_PRESETS, type Expiry } from "./expiry";

interface Props {
  form: Pick<UseFormReturnType<Expiry>, "getInputProps" | "values">;
  label?: string;
}

/** The expiration of a new key: a preset, or a date of one's own. */
export function ExpiryFields({ form, label = "Expiration" }: Props) {
  return (
    <>
      <Select
        label={label}
        description="The key stops working at this time."
        data={EXPIRY_PRESETS}
        allowDeselect={false}
        {...form.getInputProps("expiry")}
      />
      {form.values.expiry === "custom" && (
        <TextInput label="Expires on" type="datetime-local" required {...form.getInputProps("expires_at")} />
      )}
    </>
  );
}
