import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconHandGrab } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Values } from "../../parts/values";
import { queryClient } from "../../queryClient";
import { ReassignDialog } from "./ReassignDialog";
import { RejectDialog } from "./RejectDialog";
import { TicketForm } from "./TicketForm";
import { useTicketRefresh } from "./refresh";

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
}

/** What can be done with a ticket: claim and answer it, hand it over, retry, reject; later, what the answer was. */
export function TicketWork({ orgId, ticket }: Props) {
  const open = ticket.status === "OPEN" || ticket.status === "IN_PROGRESS";
  return open ? <Open orgId={orgId} ticket={ticket} /> : <Answer ticket={ticket} />;
}

function Open({ orgId, ticket }: Props) {
  const [dialog, setDialog] = useState<"reject" | "reassign" | null>(null);
  const refresh = useTicketRefresh(orgId, ticket.id);
  const params = { params: { path: { orgId, ticketId: ticket.id } } };
  const act = useMutation({
    mutationFn: (action: "claim" | "release" | "retry") =>
      ask(api.POST(`/dashboard/api/organizations/{orgId}/tickets/{ticketId}/${action}`, params)),
    onSuccess: (changed, action) => {
      void refresh(changed);
      if (action === "retry") {
        notifications.show({ message: "The task runs again." });
      }
    },
    onError: () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tickets"] }),
  });
  const isException = ticket.rule_type === "Exception";
  return (
    <Card withBorder padding="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h5">
            {isException ? "Supply the outputs yourself" : "Your answer"}
          </Title>
          <Group gap="xs">
            {ticket.claimed_by === null ? (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconHandGrab size={14} />}
                loading={act.isPending && act.variables === "claim"}
                onClick={() => act.mutate("claim")}
              >
                Claim
              </Button>
            ) : (
              <Button size="xs" variant="default" onClick={() => act.mutate("release")}>
                Release
              </Button>
            )}
            <Button size="xs" variant="default" onClick={() => setDialog("reassign")}>
              Reassign
            </Button>
          </Group>
        </Group>
        <ErrorNotice error={act.error} />
        <TicketForm orgId={orgId} ticket={ticket}>
          {isException && (
            <Button
              variant="default"
              loading={act.isPending && act.variables === "retry"}
              onClick={() => act.mutate("retry")}
            >
              Retry the task
            </Button>
          )}
          <Button variant="default" onClick={() => setDialog("reject")}>
            {isException ? "Raise: let the run fail" : "Reject"}
          </Button>
        </TicketForm>
      </Stack>
      <RejectDialog
        orgId={orgId}
        ticket={ticket}
        opened={dialog === "reject"}
        onClose={() => setDialog(null)}
      />
      <ReassignDialog
        orgId={orgId}
        ticket={ticket}
        opened={dialog === "reassign"}
        onClose={() => setDialog(null)}
      />
    </Card>
  );
}

function Answer({ ticket }: { ticket: Schemas["TicketDetails"] }) {
  const answers = Object.entries(ticket.answer ?? {});
  if (answers.length === 0 && !ticket.reason) {
    return null;
  }
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={2} size="h5">
          {answers.length > 0 ? "The answer" : "Why it ended"}
        </Title>
        {ticket.reason && <Text size="sm">{ticket.reason}</Text>}
        {answers.length > 0 && <Values of={Object.fromEntries(answers)} />}
      </Stack>
    </Card>
  );
}
