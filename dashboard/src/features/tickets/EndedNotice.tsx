import { Alert, Anchor } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName } from "../../api/organization";
import { useRun } from "../runs/queries";
import { runAfterRejection } from "./rejection";
import { retryOf } from "./ticketRetry";

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
}

/** Says what followed from a ticket that was retried or rejected. */
export function EndedNotice({ orgId, ticket }: Props) {
  const nameOf = useActorName();
  const { data: run } = useRun(orgId, ticket.workflow_instance_id);
  const number = useTicketNumber(orgId, ticket.replaced_by ?? null);
  const base = `/organizations/${orgId}`;
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
      <Anchor component={Link} inherit to={`${base}/tickets/${ticket.replaced_by}`}>
        {number ? `See #${number}` : "Open new ticket"}
      </Anchor>
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
          <Anchor component={Link} inherit to={`${base}/runs/${ticket.workflow_instance_id}`}>
            See the run
          </Anchor>
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
function useTicketNumber(orgId: string, ticketId: string | null) {
  const { data } = useQuery({
    queryKey: ["organization", orgId, "tickets", "one", ticketId],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets/{ticketId}", {
          params: { path: { orgId, ticketId: ticketId ?? "" } },
        }),
      ),
    enabled: ticketId !== null,
    retry: false,
  });
  return data?.number;
}
