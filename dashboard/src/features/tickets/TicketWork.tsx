import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconHandGrab } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { ErrorNotice } from "../../components/ErrorNotice";
import { ValueList } from "../../components/ValueList";
import { queryClient } from "../../queryClient";
import { ReassignDialog } from "./ReassignDialog";
import { RejectDialog } from "./RejectDialog";
import { TicketForm } from "./TicketForm";
import { useTicketRefresh } from "./useTicketRefresh";

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
}

/** The form and actions of an open ticket, or the answer of a closed one. */
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
      unwrap(api.POST(`/dashboard/api/organizations/{orgId}/tickets/{ticketId}/${action}`, params)),
    onSuccess: (changed, action) => {
      void refresh(changed);
      if (action === "retry") {
        notifications.show({ message: "Retrying the task." });
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
            {isException ? "Provide the outputs manually" : "Your answer"}
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
              Retry task
            </Button>
          )}
          <Button variant="default" onClick={() => setDialog("reject")}>
            {isException ? "Fail the run" : "Reject"}
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
          {answers.length > 0 ? "Answer" : "Reason"}
        </Title>
        {ticket.reason && <Text size="sm">{ticket.reason}</Text>}
        {answers.length > 0 && <ValueList values={Object.fromEntries(answers)} />}
      </Stack>
    </Card>
  );
}
