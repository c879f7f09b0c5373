import { useDebouncedValue } from "@mantine/hooks";
import { IconInbox, IconMessages, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../api/client";
import { useActorName } from "../api/organization";
import { TICKET_NUMBER } from "../components/searchRanking";
import { readableText } from "../components/readableText";
import type { SearchItem } from "../components/SearchDialog";
import { statusText } from "../components/StatusLabel";
import { formatNear } from "../components/Time";
import { snippetOf, titleOf } from "../features/conversations/chatMessages";
import { readablePreview } from "../features/tickets/readablePreview";
import { stateOf } from "../features/tickets/ticketState";

const PAUSE_MS = 120;
const MOST = 5;
const MAX_LENGTH = 100;
const MIN_TYPO_LENGTH = 4;
/** The tickets, runs and conversations of each kind in which a typo is tolerated. */
const LATEST = 100;

/** The beginning of an ID; shorter ones would be found in ordinary words and numbers. */
const ID = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;

interface Found {
  tickets: Schemas["TicketSummary"][];
  runs: Schemas["WorkflowInstanceSummary"][];
  conversations: Schemas["ConversationSummary"][];
}

const NOTHING: Found = { tickets: [], runs: [], conversations: [] };

/**
 * Tickets by number or text, and runs and conversations by text or the beginning of their IDs. If there are none, the
 * latest ones are candidates for a text with a typo.
 */
export function useFoundByServer(orgId: string, typed: string, goTo: (path: string) => void) {
  const wanted = typed.trim();
  const [text] = useDebouncedValue(wanted, PAUSE_MS);
  const nameOf = useActorName();
  const { data = NOTHING, isFetching } = useQuery({
    queryKey: ["organization", orgId, "palette", text],
    // The signal cancels the request when the text changes.
    queryFn: ({ signal }) => search(orgId, text, signal),
    enabled: isSearched(text),
    staleTime: 5_000,
  });
  const isSettled = text === wanted && !isFetching;
  const mayHaveTypo = isSettled && text.length >= MIN_TYPO_LENGTH && isSearched(text) && isEmpty(data);
  const latest = useQuery({
    queryKey: ["organization", orgId, "palette", "latest"],
    queryFn: ({ signal }) => loadLatest(orgId, signal),
    enabled: mayHaveTypo,
    staleTime: 60_000,
  });
  const found = text === wanted ? data : NOTHING;
  const candidates = mayHaveTypo ? (latest.data ?? NOTHING) : NOTHING;
  const toItems = itemsBy(goTo, nameOf, text);
  return {
    searching: isFetching || (mayHaveTypo && latest.isFetching) || (wanted !== text && isSearched(wanted)),
    items: [
      ...toItems(found).map((item): SearchItem => ({ ...item, found: true })),
      ...toItems(candidates).map((item): SearchItem => ({ ...item, onlySimilar: true })),
    ],
  };
}

const isEmpty = ({ tickets, runs, conversations }: Found) =>
  tickets.length + runs.length + conversations.length === 0;

function itemsBy(goTo: (path: string) => void, nameOf: (actor: string) => string, text: string) {
  const item = (path: string, rest: Omit<SearchItem, "key" | "onChoose">): SearchItem => ({
    ...rest,
    key: path,
    onChoose: () => goTo(path),
  });
  return ({ tickets, runs, conversations }: Found) => [
    ...tickets.map((ticket) =>
      item(`tickets/${ticket.id}`, {
        group: "Tickets",
        label: `#${ticket.number} ${ticket.title}`,
        description: [ticket.workflow_name, stateOf(ticket).text].join(" · "),
        detail: readablePreview(ticket.input_preview),
        icon: IconInbox,
      }),
    ),
    ...runs.map((run) =>
      item(`runs/${run.workflow_instance_id}`, {
        group: "Runs",
        label: `Run of ${nameOf(`agent:${run.workflow_id}`)}`,
        // Runs of one agent may have started in the same minute, with the same input.
        description: [
          statusText(run.status),
          formatNear(run.created_at),
          `…${run.workflow_instance_id.slice(-6)}`,
        ].join(" · "),
        detail: run.input_preview ? readableText(run.input_preview) : undefined,
        icon: IconPlayerPlay,
      }),
    ),
    ...conversations.map((each) =>
      item(`conversations/${each.id}${each.match ? `?q=${encodeURIComponent(text)}` : ""}`, {
        group: "Conversations",
        label: titleOf(each) ?? "Conversation",
        description: ["Conversation", formatNear(each.created_at)].join(" · "),
        detail: each.match?.text
          ? snippetOf(readableText(each.match.text), text).join("").slice(0, 160)
          : undefined,
        icon: IconMessages,
      }),
    ),
  ];
}

const isSearched = (text: string) =>
  (text.length > 1 || TICKET_NUMBER.test(text)) && text.length <= MAX_LENGTH;

/** The latest tickets, runs and conversations. */
async function loadLatest(orgId: string, signal: AbortSignal): Promise<Found> {
  const query = { limit: LATEST };
  const params = { path: { orgId }, query };
  const [tickets, runs, conversations] = await Promise.allSettled([
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/tickets", {
        params: { path: { orgId }, query: { ...query, assignee: "all", sort: "updated" } },
        signal,
      }),
    ),
    unwrap(api.GET("/dashboard/api/organizations/{orgId}/instances", { params, signal })),
    unwrap(api.GET("/dashboard/api/organizations/{orgId}/conversation-summaries", { params, signal })),
  ]);
  return { tickets: itemsOf(tickets), runs: itemsOf(runs), conversations: itemsOf(conversations) };
}

/** Leaves out searches that failed; fails if all of them did. */
async function search(orgId: string, text: string, signal: AbortSignal): Promise<Found> {
  const path = { orgId };
  const isId = ID.test(text);
  const [tickets, runs, conversations] = await Promise.allSettled([
    searchTickets(orgId, text, signal),
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/instances", {
        params: { path, query: { search: text, limit: MOST } },
        signal,
      }),
    ),
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/conversation-summaries", {
        params: { path, query: { ...(isId ? { id: text } : { q: text }), limit: MOST } },
        signal,
      }),
    ),
  ]);
  if (tickets.status === "rejected" && runs.status === "rejected" && conversations.status === "rejected") {
    throw tickets.reason;
  }
  return { tickets: itemsOf(tickets), runs: itemsOf(runs), conversations: itemsOf(conversations) };
}

/** The ticket with this number, and those with the text. */
async function searchTickets(orgId: string, text: string, signal: AbortSignal) {
  const number = TICKET_NUMBER.exec(text)?.[1];
  const searches = number === undefined ? [text] : number === text ? [`#${number}`, text] : [`#${number}`];
  const pages = await Promise.all(
    searches.map((each) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets", {
          params: { path: { orgId }, query: { search: each, assignee: "all", limit: MOST } },
          signal,
        }),
      ),
    ),
  );
  const byId = new Map(pages.flatMap(({ items }) => items).map((ticket) => [ticket.id, ticket]));
  return { items: [...byId.values()].slice(0, MOST) };
}

const itemsOf = <T>(result: PromiseSettledResult<{ items: T[] }>): T[] =>
  result.status === "fulfilled" ? result.value.items : [];
