import { useDebouncedValue } from "@mantine/hooks";
import { IconInbox, IconMessages, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../api/client";
import { useActorName } from "../api/organization";
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

/** The beginning of an ID; shorter ones would be found in ordinary words and numbers. */
const ID = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;

interface Found {
  tickets: Schemas["TicketSummary"][];
  runs: Schemas["WorkflowInstanceSummary"][];
  conversations: Schemas["ConversationSummary"][];
}

const NOTHING: Found = { tickets: [], runs: [], conversations: [] };

/** Tickets by number or text, and runs and conversations by text or the beginning of their IDs. */
export function useFoundByServer(orgId: string, typed: string, goTo: (path: string) => void) {
  const wanted = typed.trim();
  const [text] = useDebouncedValue(wanted, PAUSE_MS);
  const nameOf = useActorName();
  const { data = NOTHING, isFetching } = useQuery({
    queryKey: ["organization", orgId, "palette", text],
    // The signal cancels the request when the text changes.
    queryFn: ({ signal }) => search(orgId, text, signal),
    enabled: text.length > 1 && text.length <= MAX_LENGTH,
    staleTime: 5_000,
  });
  const found = text === wanted ? data : NOTHING;
  const item = (path: string, rest: Omit<SearchItem, "key" | "onChoose">): SearchItem => ({
    ...rest,
    key: path,
    found: true,
    onChoose: () => goTo(path),
  });
  return {
    searching: isFetching || (wanted !== text && wanted.length > 1),
    items: [
      ...found.tickets.map((ticket) =>
        item(`tickets/${ticket.id}`, {
          group: "Tickets",
          label: `#${ticket.number} ${ticket.title}`,
          description: [ticket.workflow_name, stateOf(ticket).text].join(" · "),
          detail: readablePreview(ticket.input_preview),
          icon: IconInbox,
        }),
      ),
      ...found.runs.map((run) =>
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
      ...found.conversations.map((each) =>
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
    ],
  };
}

/** Leaves out searches that failed; fails if all of them did. */
async function search(orgId: string, text: string, signal: AbortSignal): Promise<Found> {
  const path = { orgId };
  const isId = ID.test(text);
  const [tickets, runs, conversations] = await Promise.allSettled([
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/tickets", {
        params: { path, query: { search: text, assignee: "all", limit: MOST } },
        signal,
      }),
    ),
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

const itemsOf = <T>(result: PromiseSettledResult<{ items: T[] }>): T[] =>
  result.status === "fulfilled" ? result.value.items : [];
