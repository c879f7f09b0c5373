import { Button, Group, Stack } from "@mantine/core";
import { useIsMutating, useMutation } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import type { Schemas } from "../../api/client";
import { ErrorNotice } from "../../components/ErrorNotice";
import { memberLabel } from "../../components/structures";
import { anyOf, useFocusOnError } from "../../components/useFocusOnError";
import { ValueInput } from "../../components/ValueInput";
import { parseValues, type RawValue } from "../../components/valueFields";
import { queryClient } from "../../queryClient";
import { FileField, isFile, UPLOADING } from "../tickets/FileField";
import { useFormDraft } from "../tickets/useFormDraft";
import { sendMessage } from "./sendMessage";

interface Props {
  orgId: string;
  conversationId: string;
  /** The message that requests them. */
  messageId: string;
  inputs: Schemas["TicketFormField"][];
}

/** A form for the inputs that a run requests. It sends them as a JSON object, like any other client. */
export function InputRequestForm({ orgId, conversationId, messageId, inputs }: Props) {
  const { values: typed, set, clear } = useFormDraft(`inputs/${messageId}`, inputs);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, anyOf(errors));
  const send = useMutation({
    mutationFn: (values: Record<string, unknown>) =>
      sendMessage(orgId, conversationId, JSON.stringify(values), null),
    onSuccess: () => {
      clear();
      return queryClient.invalidateQueries({
        queryKey: ["organization", orgId, "conversation", conversationId, "messages"],
      });
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
            <FileField key={field.name} orgId={orgId} {...props} />
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
