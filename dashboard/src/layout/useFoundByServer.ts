import { useDebouncedValue } from "@mantine/hooks";
import { IconInbox, IconMessages, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { findInOrganization, findLatest, organizationKey, type Found } from "../api";
import { useActorName } from "../components/actorNames";
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
    queryKey: organizationKey(orgId, "palette", text),
    // The signal cancels the request when the text changes.
    queryFn: ({ signal }) => search(orgId, text, signal),
    enabled: isSearched(text),
    staleTime: 5_000,
  });
  const isSettled = text === wanted && !isFetching;
  const mayHaveTypo = isSettled && text.length >= MIN_TYPO_LENGTH && isSearched(text) && isEmpty(data);
  const latest = useQuery({
    queryKey: organizationKey(orgId, "palette", "latest"),
    queryFn: ({ signal }) => findLatest(orgId, LATEST, signal),
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

/** Tickets are searched by number and by text. */
const search = (orgId: string, text: string, signal: AbortSignal) => {
  const number = TICKET_NUMBER.exec(text)?.[1];
  const tickets = number === undefined ? [text] : number === text ? [`#${number}`, text] : [`#${number}`];
  const conversations = ID.test(text) ? { id: text } : { q: text };
  return findInOrganization(orgId, { tickets, runs: text, conversations }, MOST, signal);
};
