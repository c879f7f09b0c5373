import { Table } from "@mantine/core";
import { useMe, useResendEmail, type Schemas } from "../../api";
import { DataTable } from "../../components/DataTable";
import { ErrorXs, SecondaryButton, DimmedXs } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { useGoTo } from "../../components/PageLink";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { counted } from "../../components/counted";
import { isWaiting } from "./mailStates";

/** Each recipient has a mail of their own, which is sent and resent alone. */
export function Recipients({ mail }: { mail: Schemas["EmailContent"] }) {
  const { data: me } = useMe();
  const goTo = useGoTo();
  const resend = useResendEmail({
    done: (copy) => `Sent again to ${copy.to}. This is the new email.`,
    onSuccess: (copy) => goTo(`emails/${copy.id}`),
  });
  const mayResend = me?.emails_sent === true && mail.text !== null;
  return (
    <>
      <ErrorNotice error={resend.error} />
      <DataTable
        columns={[
          mail.recipients.length === 1 ? "To" : `To ${mail.recipients.length} recipients`,
          "Status",
          "Sent",
          mayResend && { hiddenLabel: "Actions" },
        ]}
        minWidth={480}
        maxHeight={320}
        aria-label="Recipients"
      >
        {mail.recipients.map((recipient) => (
          <Table.Tr key={recipient.id}>
            <Table.Td style={{ overflowWrap: "anywhere" }}>
              {recipient.to}
              {recipient.error && <ErrorXs>{recipient.error}</ErrorXs>}
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
                  <SecondaryButton
                    size="compact-sm"
                    aria-label={`Resend to ${recipient.to}`}
                    loading={resend.isPending && resend.variables === recipient.id}
                    onClick={() => resend.mutate(recipient.id)}
                  >
                    Resend
                  </SecondaryButton>
                )}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </DataTable>
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
        <DimmedXs>
          {counted(attempts, "attempt")}
          {nextAt && (
            <>
              , next <Time at={nextAt} relative />
            </>
          )}
        </DimmedXs>
      )}
    </>
  );
}
