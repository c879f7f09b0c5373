import { Checkbox, Group } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconInbox } from "@tabler/icons-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useOrganizationId } from "../../api";
import { Dimmed, SecondaryButton } from "../../components/variants";
import { EmptyState } from "../../components/EmptyState";
import { LoadMoreButton } from "../../components/LoadMoreButton";
import { MailNotice } from "../../components/MailNotice";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { QueryBoundary } from "../../components/QueryBoundary";
import { useShortcutHelp, type ShortcutGroup } from "../../components/shortcuts";
import { useFilters } from "../../components/useFilters";
import { BulkActions, MAX_SELECTED } from "./BulkActions";
import { NoTicketMatches } from "./NoTicketMatches";
import { isNarrowed, readFilters, statusOf, type TicketFilters } from "./ticketFilters";
import { TicketFilterBar } from "./TicketFilterBar";
import { focusedTicket, focusTicket, indexAfter, rememberOpened } from "./ticketFocus";
import { TicketList, type TicketListHandle } from "./TicketList";
import { useTicketPeople } from "./useTicketPeople";
import { useClaim } from "./useClaim";
import { useMinute } from "../../components/useMinute";
import { useShortcutKeys } from "../../components/useShortcutKeys";
import { useTicketCount, useTicketList } from "./useTicketList";

const SHORTCUTS: ShortcutGroup = {
  title: "Tickets",
  shortcuts: [
    ["J", "Next ticket"],
    ["K", "Previous ticket"],
    ["Enter", "Open the ticket"],
    ["C", "Claim the ticket"],
    ["X", "Select the ticket"],
    ["Esc", "Clear the selection"],
    ["/", "Search tickets"],
  ],
};

export default function TicketsPage() {
  useShortcutHelp(SHORTCUTS);
  const orgId = useOrganizationId();
  const { search } = useLocation();
  const params = useFilters();
  const filters = readFilters(new URLSearchParams(search));
  const pages = useTicketList(filters, { poll: true });
  const { items } = pages;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(() => items.filter(({ id }) => chosen.has(id)), [items, chosen]);
  const peopleOf = useTicketPeople();
  const now = useMinute();
  const claim = useClaim();
  const list = useRef<TicketListHandle>(null);
  const lastSelected = useRef<string>(undefined);
  const done = statusOf(filters) === "done";

  const select = (id: string, on: boolean, range: boolean) => {
    const from = range ? items.findIndex((each) => each.id === lastSelected.current) : -1;
    const at = items.findIndex((each) => each.id === id);
    const ids =
      from < 0 ? [id] : items.slice(Math.min(from, at), Math.max(from, at) + 1).map((each) => each.id);
    const next = new Set(selected.map((each) => each.id));
    ids.forEach((each) => (on ? next.add(each) : next.delete(each)));
    lastSelected.current = id;
    setChosen(new Set([...next].slice(0, MAX_SELECTED)));
  };
  const selectRow = useStable(select);
  const move = (step: number) => {
    const ids = items.map(({ id }) => id);
    const index = indexAfter(ids, step);
    rememberOpened(ids[index] ?? "");
    list.current?.focus(index);
  };
  useShortcutKeys({
    j: () => move(1),
    k: () => move(-1),
    c: () => {
      const ticket = items.find(({ id }) => id === focusedTicket());
      if (ticket && !done) {
        claim.mutate(ticket);
      }
    },
    x: () => {
      const id = focusedTicket();
      if (id && !done) {
        select(id, !chosen.has(id), false);
      }
    },
    ...(selected.length > 0 && { Escape: () => setChosen(new Set()) }),
    "/": () => document.getElementById("ticket-search")?.focus(),
  });
  useFocusAfterRemoval(items.map(({ id }) => id));

  return (
    <Page title="Tickets" about="Approvals, forms and failed tasks that need a person.">
      <MailNotice page="tickets">
        Assignees aren’t notified of tickets by email. An operator sets up email with the PARLEY_SMTP
        settings.
      </MailNotice>
      <TicketFilterBar filters={filters} set={params.set} />
      {selected.length > 0 && !done && (
        <BulkActions selected={selected} onSelect={(ids) => setChosen(new Set(ids))} />
      )}
      <QueryBoundary query={pages}>
        {() =>
          items.length === 0 ? (
            <Nothing narrowed={isNarrowed(filters)} done={done} filters={filters} params={params} />
          ) : (
            <div>
              {!done && (
                <Checkbox
                  className="screenOnly"
                  mb={6}
                  ms={9}
                  size="xs"
                  label={items.length > MAX_SELECTED ? `Select the first ${MAX_SELECTED}` : "Select all"}
                  checked={selected.length === Math.min(items.length, MAX_SELECTED)}
                  indeterminate={
                    selected.length > 0 && selected.length < Math.min(items.length, MAX_SELECTED)
                  }
                  onChange={(event) =>
                    setChosen(
                      new Set(
                        event.currentTarget.checked ? items.slice(0, MAX_SELECTED).map(({ id }) => id) : [],
                      ),
                    )
                  }
                />
              )}
              <TicketList
                ref={list}
                items={items}
                hasMore={pages.hasNextPage}
                linkTo={({ id }) => `/organizations/${orgId}/tickets/${id}${search}`}
                people={peopleOf}
                now={now}
                chosen={chosen}
                onSelect={done ? undefined : selectRow}
              />
              <LoadMore pages={pages} shown={items.length} />
            </div>
          )
        }
      </QueryBoundary>
    </Page>
  );
}

function LoadMore({ pages, shown }: { pages: ReturnType<typeof useTicketList>; shown: number }) {
  return pages.hasNextPage ? (
    <Group justify="center" mt="md">
      <Dimmed>{shown} shown</Dimmed>
      <LoadMoreButton pages={pages} />
    </Group>
  ) : null;
}

/** A function that never changes and calls the latest one, so that memoized rows do not render again. */
function useStable<Args extends unknown[]>(latest: (...args: Args) => void): (...args: Args) => void {
  const current = useRef(latest);
  useEffect(() => {
    current.current = latest;
  });
  return useCallback((...args: Args) => current.current(...args), []);
}

/** When the focused row leaves the list, moves the focus to the row that took its place. */
function useFocusAfterRemoval(ids: string[]) {
  const before = useRef({ ids, focused: undefined as string | undefined });
  useEffect(() => {
    const { ids: old, focused } = before.current;
    if (focused && !ids.includes(focused) && document.activeElement === document.body) {
      focusTicket(ids[Math.min(old.indexOf(focused), ids.length - 1)]);
    }
    before.current.ids = ids;
  });
  useWindowEvent("focusin", () => {
    before.current.focused = focusedTicket();
  });
}

interface NothingProps {
  narrowed: boolean;
  done: boolean;
  filters: TicketFilters;
  params: ReturnType<typeof useFilters>;
}

/** Instead of an empty list: a way to the next list that may have tickets. */
function Nothing({ narrowed, done, filters, params }: NothingProps) {
  const { scope } = filters;
  const unclaimed = useTicketCount({ ...filters, scope: "team" });
  const hasUnclaimed = scope === "mine" && !done && unclaimed !== "" && unclaimed !== "0";
  if (filters.search.trim() !== "") {
    return <NoTicketMatches filters={filters} params={params} />;
  }
  if (narrowed) {
    return <NoMatches icon={IconInbox} things={done ? "done tickets" : "open tickets"} />;
  }
  return (
    <EmptyState
      icon={IconInbox}
      title={done ? "No completed tickets yet" : "All clear"}
      action={
        scope === "all" ? undefined : (
          <SecondaryButton onClick={() => params.set("assignee", hasUnclaimed ? "team" : "all")}>
            {hasUnclaimed ? `Show ${unclaimed} unclaimed in your teams` : "Show all tickets"}
          </SecondaryButton>
        )
      }
    >
      {done
        ? "Completed, rejected and closed tickets appear here."
        : scope === "all"
          ? "Tickets appear here when an agent needs someone."
          : scope === "team"
            ? "No unclaimed tickets are waiting in your teams."
            : "No open tickets are assigned to you or claimed by you."}
    </EmptyState>
  );
}
