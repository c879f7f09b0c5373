import { Alert, Select, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { rollApiKey, useOrganizationId, type Schemas } from "../../api";
import { Form } from "../../components/Form";
import { optionsOf } from "../../components/optionsOf";
import { expiryTime, presetOf } from "./expiry";
import { ExpiryFields } from "./ExpiryFields";

const OVERLAPS = optionsOf({ 0: "Now", 60: "In 1 hour", 1440: "In 24 hours", 10080: "In 7 days" });

interface Props {
  /** The key to replace. */
  old: Schemas["ApiKey"];
  onCreated: (key: Schemas["CreatedApiKey"]) => void;
}

/** Replaces a key by a new one; both work for a while. */
export function RollKeyForm({ old, onCreated }: Props) {
  const orgId = useOrganizationId();
  const form = useForm({
    initialValues: { overlap_minutes: "1440", expiry: presetOf(old), expires_at: "" },
  });
  const roll = useMutation({
    mutationFn: ({ overlap_minutes, ...expiry }: typeof form.values) =>
      rollApiKey(orgId, old.id, { overlap_minutes: Number(overlap_minutes), expires_at: expiryTime(expiry) }),
    onSuccess: onCreated,
  });
  return (
    <Form form={form} mutation={roll} action="Roll key">
      <Text size="sm">
        Creates a new key with the same name and restrictions as “{old.name}”. Use the time until the old key
        expires to update your integrations.
      </Text>
      <Select
        label="Old key expires"
        data={OVERLAPS}
        allowDeselect={false}
        data-autofocus
        {...form.getInputProps("overlap_minutes")}
      />
      {form.values.overlap_minutes === "0" && (
        <Alert color="yellow">
          Integrations that use the old key stop working until they have the new one.
        </Alert>
      )}
      <ExpiryFields form={form} label="Expiration of the new key" />
    </Form>
  );
}
