import type { Schemas } from "./client";
import { get } from "./requests";

/** The results of the command palette. */
export interface Found {
  tickets: Schemas["TicketSummary"][];
  runs: Schemas["WorkflowInstanceSummary"][];
  conversations: Schemas["ConversationSummary"][];
}

type Searched<T> = Promise<{ items: T[] }>;

const itemsOf = <T>(result: PromiseSettledResult<{ items: T[] }>): T[] =>
  result.status === "fulfilled" ? result.value.items : [];

/** Leaves out searches that failed; fails if all of them did. */
async function foundBy(
  searches: [
    Searched<Schemas["TicketSummary"]>,
    Searched<Schemas["WorkflowInstanceSummary"]>,
    Searched<Schemas["ConversationSummary"]>,
  ],
): Promise<Found> {
  const [tickets, runs, conversations] = await Promise.allSettled(searches);
  if (tickets.status === "rejected" && runs.status === "rejected" && conversations.status === "rejected") {
    throw tickets.reason;
  }
  return { tickets: itemsOf(tickets), runs: itemsOf(runs), conversations: itemsOf(conversations) };
}

/** The latest tickets, runs and conversations. */
export const findLatest = (orgId: string, limit: number, signal: AbortSignal) =>
  foundBy([
    get("tickets", { orgId }, { limit, assignee: "all", sort: "updated" }, signal),
    get("instances", { orgId }, { limit }, signal),
    get("conversation-summaries", { orgId }, { limit }, signal),
  ]);

interface Searches {
  /** Each finds tickets by number or by text. */
  tickets: string[];
  runs: string;
  conversations: { id: string } | { q: string };
}

export const findInOrganization = (orgId: string, searches: Searches, limit: number, signal: AbortSignal) =>
  foundBy([
    findTickets(orgId, searches.tickets, limit, signal),
    get("instances", { orgId }, { search: searches.runs, limit }, signal),
    get("conversation-summaries", { orgId }, { ...searches.conversations, limit }, signal),
  ]);

async function findTickets(orgId: string, searches: string[], limit: number, signal: AbortSignal) {
  const pages = await Promise.all(
    searches.map((search) => get("tickets", { orgId }, { search, assignee: "all", limit }, signal)),
  );
  const byId = new Map(pages.flatMap(({ items }) => items).map((ticket) => [ticket.id, ticket]));
  return { items: [...byId.values()].slice(0, limit) };
}
