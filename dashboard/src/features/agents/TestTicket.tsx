import { Stack } from "@mantine/core";
import { refreshRun, useOrganizationId, useTicket } from "../../api";
import { FormattedText } from "../../components/Markdown";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Given } from "../tickets/TicketFacts";
import { TicketWork } from "../tickets/TicketWork";

/** The ticket that a test run waits for: its instructions and inputs, and its form for those who may answer it. */
export function TestTicket({ runId, ticketId }: { runId: string; ticketId: string }) {
  const orgId = useOrganizationId();
  const ticket = useTicket(ticketId);
  return (
    <QueryBoundary query={ticket}>
      {(found) => (
        <Stack gap="sm" ref={intoView}>
          {found.description && <FormattedText>{found.description}</FormattedText>}
          <Given ticket={found} />
          <TicketWork ticket={found} onDone={() => void refreshRun(orgId, runId)} />
        </Stack>
      )}
    </QueryBoundary>
  );
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });
