import { Button, Table, Text, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useMe } from "../../api/queries";
import { ErrorNotice } from "../../components/ErrorNotice";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";
import { isWaiting } from "./mailStates";

interface Props {
  orgId: string;
  mail: Schemas["EmailContent"];
}

/** Each recipient has a mail of their own, which is sent and resent alone. */
export function Recipients({ orgId, mail }: Props) {
  const { data: me } = useMe();
  const navigate = useNavigate();
  const resend = useMutation({
    mutationFn: (emailId: string) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/emails/{emailId}/resend", {
          params: { path: { orgId, emailId } },
        }),
      ),
    onSuccess: async (copy) => {
      notifications.show({ message: `Sent again to ${copy.to}. This is the new email.` });
      await navigate(`/organizations/${orgId}/emails/${copy.id}`);
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "emails"] });
    },
  });
  const mayResend = me?.emails_sent === true && mail.text !== null;
  return (
    <>
      <ErrorNotice error={resend.error} />
      <Table.ScrollContainer minWidth={480} maxHeight={320}>
        <Table aria-label="Recipients">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>
                {mail.recipients.length === 1 ? "To" : `To ${mail.recipients.length} recipients`}
              </Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Sent</Table.Th>
              {mayResend && (
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {mail.recipients.map((recipient) => (
              <Table.Tr key={recipient.id}>
                <Table.Td style={{ overflowWrap: "anywhere" }}>
                  {recipient.to}
                  {recipient.error && (
                    <Text size="xs" c="var(--mantine-color-error)">
                      {recipient.error}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <StatusLabel status={recipient.state} />
                </Table.Td>
                <Table.Td>
                  <Sending recipient={recipient} />
                </Table.Td>
                {mayResend && (
                  <Table.Td ta="end">
                    {!isWaiting(recipient.state) && (
                      <Button
                        variant="default"
                        size="compact-sm"
                        aria-label={`Resend to ${recipient.to}`}
                        loading={resend.isPending && resend.variables === recipient.id}
                        onClick={() => resend.mutate(recipient.id)}
                      >
                        Resend
                      </Button>
                    )}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

/** When the mail was sent or will be tried again, and after how many attempts. */
function Sending({ recipient }: { recipient: Schemas["EmailRecipient"] }) {
  const { attempts, sent_at: sentAt, next_attempt_at: nextAt } = recipient;
  return (
    <>
      {sentAt ? <Time at={sentAt} seconds /> : "–"}
      {(attempts > 1 || (attempts > 0 && !sentAt)) && (
        <Text size="xs" c="dimmed">
          {attempts} {attempts === 1 ? "attempt" : "attempts"}
          {nextAt && (
            <>
              , next <Time at={nextAt} relative />
            </>
          )}
        </Text>
      )}
    </>
  );
}
