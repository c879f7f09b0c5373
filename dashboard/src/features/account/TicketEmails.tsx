import { Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { queryClient } from "../../queryClient";

type Emails = Schemas["TicketEmails"];

const KEY = ["ticket-emails"];

const KINDS: { kind: keyof Emails; label: string; description: string }[] = [
  {
    kind: "new_tickets",
    label: "New tickets",
    description: "A ticket is assigned to you or one of your teams.",
  },
  {
    kind: "changes",
    label: "Changes by others",
    description:
      "A ticket of yours is claimed, released, taken over, completed, rejected, retried or closed.",
  },
  {
    kind: "comments",
    label: "Comments",
    description: "A person comments on a ticket of yours, or mentions you.",
  },
  { kind: "reminders", label: "Reminders", description: "A ticket of yours is due, or will be soon." },
];

const show = (kind: keyof Emails, on: boolean) => {
  queryClient.setQueryData<Emails>(KEY, (before) => before && { ...before, [kind]: on });
};

/** The kinds of ticket emails that the user gets. Each switch is saved at once. */
export function TicketEmails() {
  const emails = useQuery({
    queryKey: KEY,
    queryFn: () => unwrap(api.GET("/dashboard/api/me/emails")),
  });
  const change = useMutation({
    mutationFn: ({ kind, on }: { kind: keyof Emails; on: boolean }) =>
      unwrap(api.PATCH("/dashboard/api/me/emails", { body: { [kind]: on } })),
    onMutate: ({ kind, on }) => show(kind, on),
    onSuccess: () => notifications.show({ message: "Emails updated." }),
    onError: (_, { kind, on }) => show(kind, !on),
  });
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="emails">
      <Stack>
        <Title order={2} size="h4" id="emails">
          Emails
        </Title>
        <Text size="sm" c="dimmed">
          About tickets, in all your organizations. Emails for signing in and invitations are always sent.
        </Text>
        <ErrorNotice error={change.error} />
        <QueryBoundary query={emails}>
          {(current) =>
            KINDS.map(({ kind, label, description }) => (
              <Switch
                key={kind}
                label={label}
                description={description}
                checked={current[kind]}
                onChange={(event) => change.mutate({ kind, on: event.currentTarget.checked })}
              />
            ))
          }
        </QueryBoundary>
      </Stack>
    </Paper>
  );
}
