import { Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useIsMutating, useMutation } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactNode } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { TypedInput } from "../../parts/TypedInput";
import { readTyped, type Typed } from "../../parts/typed";
import { FileField, isFile, UPLOADING } from "./FileField";
import { useTicketRefresh } from "./refresh";

/** The JSON pointer by which the service names a field of the answer. */
const pointer = (name: string) => `/answer/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
  /** Other things to do with the ticket, beside completing it. */
  children: ReactNode;
}

/** The ticket's form; its fields are the task's outputs or the inputs that are missing. */
export function TicketForm({ orgId, ticket, children }: Props) {
  const [typed, setTyped] = useState<Record<string, Typed>>({});
  const [unread, setUnread] = useState<Record<string, string>>({});
  const refresh = useTicketRefresh(orgId, ticket.id);
  const complete = useMutation({
    mutationFn: (answer: Record<string, unknown>) =>
      ask(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/complete", {
          params: { path: { orgId, ticketId: ticket.id } },
          body: { answer },
        }),
      ),
    onSuccess: (changed) => {
      void refresh(changed);
      notifications.show({ message: `Ticket #${ticket.number} is completed; the run goes on.` });
    },
  });
  // An answer without the file would be another one.
  const uploading = useIsMutating({ mutationKey: UPLOADING }) > 0;
  const { at } = faultsOf(complete.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { values, faults } = readTyped(ticket.form, typed);
    setUnread(faults);
    if (Object.keys(faults).length === 0) {
      complete.mutate(values);
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {ticket.form.length === 0 && (
          <Text size="sm" c="dimmed">
            There is nothing to fill in: completing says that it is done.
          </Text>
        )}
        {ticket.form.map((field) => {
          const props = {
            field,
            value: typed[field.name] ?? null,
            error: unread[field.name] ?? at(pointer(field.name)),
            onChange: (value: Typed) => setTyped((now) => ({ ...now, [field.name]: value })),
          };
          return isFile(field.type) ? (
            <FileField key={field.name} orgId={orgId} {...props} />
          ) : (
            <TypedInput key={field.name} {...props} />
          );
        })}
        <ErrorNotice error={complete.error} shown={ticket.form.map((field) => pointer(field.name))} />
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
