import { Button, Group } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { SecondaryButton } from "../../components/variants";
import { EmptyState } from "../../components/EmptyState";
import { isNarrowed, statusOf, widerLists, type TicketFilters } from "./ticketFilters";
import type { useFilters } from "../../components/useFilters";
import { useTicketCount } from "./useTicketList";

interface Props {
  filters: TicketFilters;
  params: ReturnType<typeof useFilters>;
}

/** Shown when a search finds nothing; offers the wider lists that have matches, and keeps the search. */
export function NoTicketMatches({ filters, params }: Props) {
  const { all, done } = widerLists(filters);
  const inAll = useTicketCount(all);
  const inDone = useTicketCount(done);
  const hasOtherFilters = isNarrowed({ ...filters, search: "" });
  const show = (list: TicketFilters) =>
    params.setAll({
      assignee: "all",
      status: list.status === "open" ? null : list.status,
      agent: null,
      team: null,
      overdue: null,
      tests: "true",
    });
  return (
    <EmptyState
      icon={IconInbox}
      title={`No ${statusOf(filters) === "done" ? "done" : "open"} tickets match “${filters.search.trim()}” here`}
      action={
        <Group justify="center" gap="xs">
          {isSome(inAll) && <Button onClick={() => show(all)}>{`Show ${matches(inAll)} in All`}</Button>}
          {isSome(inDone) && (
            <Button variant={isSome(inAll) ? "default" : "filled"} onClick={() => show(done)}>
              {`Show ${matches(inDone)} in done tickets`}
            </Button>
          )}
          <SecondaryButton onClick={() => params.set("search", null)}>Clear the search</SecondaryButton>
        </Group>
      }
    >
      {isSome(inAll) || isSome(inDone)
        ? "The search finds tickets in other lists."
        : hasOtherFilters
          ? "Try other words or fewer filters."
          : "Try other words, or the number of the ticket."}
    </EmptyState>
  );
}

const isSome = (count: string) => count !== "" && count !== "0";
const matches = (count: string) => (count === "1" ? "1 match" : `${count} matches`);
