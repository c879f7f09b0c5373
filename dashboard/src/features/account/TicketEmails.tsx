import { Paper, Stack, Switch } from "@mantine/core";
import { useSwitchTicketEmails, useTicketEmails, type Schemas } from "../../api";
import { SectionHeading, Dimmed } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";

type Emails = Schemas["TicketEmails"];

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

/** The kinds of ticket emails that the user gets. Each switch is saved at once. */
export function TicketEmails() {
  const emails = useTicketEmails();
  const change = useSwitchTicketEmails();
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="emails">
      <Stack>
        <SectionHeading id="emails">Emails</SectionHeading>
        <Dimmed>
          About tickets, in all your organizations. Emails for signing in and invitations are always sent.
        </Dimmed>
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
