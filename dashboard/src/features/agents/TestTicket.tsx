import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { QueryBoundary } from "../../components/QueryBoundary";
import { queryClient } from "../../queryClient";
import { TicketWork } from "../tickets/TicketWork";

interface Props {
  orgId: string;
  runId: string;
  ticketId: string;
}

/** The form of the ticket that a test run waits for, for those who may answer it. */
export function TestTicket({ orgId, runId, ticketId }: Props) {
  const ticket = useQuery({
    queryKey: ["organization", orgId, "tickets", "one", ticketId],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets/{ticketId}", {
          params: { path: { orgId, ticketId } },
        }),
      ),
  });
  return (
    <QueryBoundary query={ticket}>
      {(found) => (
        <TicketWork
          orgId={orgId}
          ticket={found}
          onDone={() =>
            void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "run", runId] })
          }
        />
      )}
    </QueryBoundary>
  );
}
