import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { FormattedText } from "../../components/Markdown";
import { QueryBoundary } from "../../components/QueryBoundary";
import { queryClient } from "../../queryClient";
import { Given } from "../tickets/TicketFacts";
import { TicketWork } from "../tickets/TicketWork";

interface Props {
  orgId: string;
  runId: string;
  ticketId: string;
}

/** The ticket that a test run waits for: its instructions and inputs, and its form for those who may answer it. */
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
        <Stack gap="sm" ref={intoView}>
          {found.description && <FormattedText>{found.description}</FormattedText>}
          <Given ticket={found} />
          <TicketWork
            orgId={orgId}
            ticket={found}
            onDone={() =>
              void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "run", runId] })
            }
          />
        </Stack>
      )}
    </QueryBoundary>
  );
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });
