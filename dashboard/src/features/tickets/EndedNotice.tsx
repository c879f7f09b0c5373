import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import { TextLink } from "../../components/PageLink";
import { useRun, useTicket, type Schemas } from "../../api";
import { useActorName } from "../../components/actorNames";
import { runAfterRejection } from "./rejection";
import { retryOf } from "./ticketRetry";

/** Says what followed from a ticket that was retried or rejected. */
export function EndedNotice({ ticket }: { ticket: Schemas["TicketDetails"] }) {
  const nameOf = useActorName();
  const { data: run } = useRun(ticket.workflow_instance_id);
  const number = useTicketNumber(ticket.replaced_by ?? null);
  const end = ticket.history.findLast(({ change }) => change === "retried" || change === "rejected");
  if (!end || ticket.tool_call) {
    return null;
  }
  const retry = retryOf(ticket, run?.tasks);
  const failed = retry === "failed" || (retry === undefined && run?.status === "FAILED");
  const by = nameOf(end.by);
  const successor = ticket.replaced_by && (
    <>
      {" "}
      <TextLink to={`tickets/${ticket.replaced_by}`}>
        {number ? `See #${number}` : "Open new ticket"}
      </TextLink>
    </>
  );
  return (
    <Alert
      color={failed ? "red" : "gray"}
      icon={failed ? <IconAlertTriangle size={18} /> : <IconInfoCircle size={18} />}
      title={`${retry ? "Retried" : "Rejected"} by ${by}`}
    >
      {retry ? RETRY_TEXTS[retry] : runAfterRejection(ticket, run?.status)}
      {successor || (
        <>
          {" "}
          <TextLink to={`runs/${ticket.workflow_instance_id}`}>See the run</TextLink>
        </>
      )}
    </Alert>
  );
}

const RETRY_TEXTS = {
  running: "The task runs again.",
  failed: "The task failed again.",
  completed: "The task completed.",
};

/** The number of another ticket; undefined if the person may not see it. */
function useTicketNumber(ticketId: string | null) {
  const { data } = useTicket(ticketId, { retry: false });
  return data?.number;
}
