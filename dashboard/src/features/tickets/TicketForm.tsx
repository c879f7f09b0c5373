import { Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useIsMutating, useMutation } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactNode } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { ErrorNotice } from "../../components/ErrorNotice";
import { ValueInput } from "../../components/ValueInput";
import { parseValues, type RawValue } from "../../components/valueFields";
import { FileField, isFile, UPLOADING } from "./FileField";
import { useTicketRefresh } from "./useTicketRefresh";

/** The JSON pointer of a field in the answer. */
const pointer = (name: string) => `/answer/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
  /** Further buttons next to Complete. */
  children: ReactNode;
}

/** The ticket's form. Its fields are the task's outputs or its missing inputs. */
export function TicketForm({ orgId, ticket, children }: Props) {
  const [typed, setTyped] = useState<Record<string, RawValue>>({});
  const [parseErrors, setParseErrors] = useState<Record<string, string>>({});
  const refresh = useTicketRefresh(orgId, ticket.id);
  const complete = useMutation({
    mutationFn: (answer: Record<string, unknown>) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/complete", {
          params: { path: { orgId, ticketId: ticket.id } },
          body: { answer },
        }),
      ),
    onSuccess: (changed) => {
      void refresh(changed);
      notifications.show({ message: `Ticket #${ticket.number} completed. The run continues.` });
    },
  });
  // Completing during an upload would lose the file.
  const uploading = useIsMutating({ mutationKey: UPLOADING }) > 0;
  const { at } = fieldErrors(complete.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { values, errors } = parseValues(ticket.form, typed);
    setParseErrors(errors);
    if (Object.keys(errors).length === 0) {
      complete.mutate(values);
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {ticket.form.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing to fill in. Mark it complete when you’re done.
          </Text>
        )}
        {ticket.form.map((field) => {
          const props = {
            field,
            value: typed[field.name] ?? null,
            error: parseErrors[field.name] ?? at(pointer(field.name)),
            onChange: (value: RawValue) => setTyped((now) => ({ ...now, [field.name]: value })),
          };
          return isFile(field.type) ? (
            <FileField key={field.name} orgId={orgId} {...props} />
          ) : (
            <ValueInput key={field.name} {...props} />
          );
        })}
        <ErrorNotice error={complete.error} fieldPaths={ticket.form.map((field) => pointer(field.name))} />
        <Group>
          <Button type="submit" loading={complete.isPending} disabled={uploading}>
            Complete
          </Button>
          {children}
        </Group>
      </Stack>
    </form>
  );
}
