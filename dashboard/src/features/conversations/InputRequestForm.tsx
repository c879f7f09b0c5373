import { Button, Group, Stack } from "@mantine/core";
import { useIsMutating, useMutation } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import { refreshMessages, sendMessage, useOrganizationId, type Schemas } from "../../api";
import { memberLabel } from "../../components/memberLabel";
import { ErrorNotice } from "../../components/ErrorNotice";
import { anyOf, useFocusOnError } from "../../components/useFocusOnError";
import { ValueInput } from "../../values/ValueInput";
import { parseValues, type RawValue } from "../../values/valueFields";
import { FileField, isFile, UPLOADING } from "../../values/FileField";
import { useFormDraft } from "../../values/useFormDraft";

interface Props {
  conversationId: string;
  /** The message that requests them. */
  messageId: string;
  inputs: Schemas["TicketFormField"][];
}

/** A form for the inputs that a run requests. It sends them as a JSON object, like any other client. */
export function InputRequestForm({ conversationId, messageId, inputs }: Props) {
  const orgId = useOrganizationId();
  const { values: typed, set, clear } = useFormDraft(`inputs/${messageId}`, inputs);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, anyOf(errors));
  const send = useMutation({
    mutationFn: (values: Record<string, unknown>) =>
      sendMessage(orgId, conversationId, JSON.stringify(values), null),
    onSuccess: () => {
      clear();
      return refreshMessages(orgId, conversationId);
    },
  });
  // Sending during an upload would lose the file.
  const uploading = useIsMutating({ mutationKey: UPLOADING }) > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { values, errors: found } = parseValues(inputs, typed);
    for (const { name, required } of inputs) {
      if (required && !(name in values)) {
        found[name] ??= "Enter a value.";
      }
    }
    setErrors(found);
    if (Object.keys(found).length === 0) {
      send.mutate(values);
    }
  };
  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Requested inputs">
      <Stack gap="sm" mt="xs">
        {inputs.map((field) => {
          const props = {
            field,
            label: memberLabel(field.name),
            value: typed[field.name] ?? null,
            error: errors[field.name],
            onChange: (value: RawValue) => set(field.name, value),
          };
          return isFile(field.type) ? (
            <FileField key={field.name} {...props} />
          ) : (
            <ValueInput key={field.name} {...props} />
          );
        })}
        <ErrorNotice error={send.error} />
        <Group>
          <Button type="submit" size="sm" loading={send.isPending} disabled={uploading}>
            Send answers
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
