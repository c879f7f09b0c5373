import { queryClient } from "./queryClient";
import type { Schemas } from "./client";
import { itemChange, organizationKey, refetch, usePages, useRead, type QueryOptions } from "./hooks";
import { post, type RequestQuery } from "./requests";

const ONE = "tickets/{ticketId}";
const REFRESH_MS = 15_000;

type Ticket = Schemas["TicketDetails"];

/** The first page is polled. */
export const useTicketPages = (query: RequestQuery<"tickets">, poll: boolean) =>
  usePages("tickets", {}, ["tickets", "list", query], {
    query,
    limit: 100,
    idOf: ({ id }) => id,
    refetchInterval: poll ? REFRESH_MS : undefined,
    keepPrevious: poll,
  });

export const useTicketTotal = (query: RequestQuery<"tickets/count">, enabled = true) =>
  useRead("tickets/count", {}, ["tickets", "count", query], { query, refetchInterval: REFRESH_MS, enabled })
    .data;

const ticketKey = (orgId: string, ticketId: string) => organizationKey(orgId, "tickets", "one", ticketId);

/** Nothing is loaded for null. */
export const useTicket = (ticketId: string | null, options?: QueryOptions<Ticket>) =>
  useRead(ONE, { ticketId: ticketId ?? "" }, ["tickets", "one", ticketId], {
    enabled: ticketId !== null,
    ...options,
  });

/** Refetches the lists and counts of tickets. */
export const refreshTicketLists = (orgId: string) =>
  refetch(orgId, ["tickets", "list"], ["tickets", "count"]);

export const cacheTicket = (orgId: string, changed: Ticket) =>
  queryClient.setQueryData(ticketKey(orgId, changed.id), changed);

/** Caches a changed ticket and refetches the lists and counts that contain it. */
export async function ticketChanged(orgId: string, changed: Ticket) {
  // A pending response may be older.
  await queryClient.cancelQueries({ queryKey: ticketKey(orgId, changed.id) });
  cacheTicket(orgId, changed);
  void refreshTicketLists(orgId);
}

export type TicketAction = "claim" | "release" | "retry" | "take-over";

export const actOnTicket = (orgId: string, ticketId: string, action: TicketAction) =>
  post(`${ONE}/${action}`, { orgId, ticketId });

export const useTicketAction = itemChange(actOnTicket);

export const reassignTicket = (orgId: string, ticketId: string, to: Schemas["TicketReassignment"]) =>
  post(`${ONE}/reassign`, { orgId, ticketId }, to);

export const useRejectTicket = itemChange((orgId, ticketId: string, { reason }: { reason: string }) =>
  post(`${ONE}/reject`, { orgId, ticketId }, { reason: reason.trim() }),
);

export const useCompleteTicket = itemChange((orgId, ticketId: string, answer: Record<string, unknown>) =>
  post(`${ONE}/complete`, { orgId, ticketId }, { answer }),
);

export const useCommentOnTicket = itemChange((orgId, ticketId: string, body: Schemas["TicketComment"]) =>
  post(`${ONE}/comment`, { orgId, ticketId }, body),
);

export type BulkChange =
  | { action: "claim" | "release" }
  | { action: "reassign"; to: Schemas["TicketReassignment"] }
  | { action: "reject"; reason: string };

/** Changes several tickets; the result has an entry for each. */
export function changeTickets(orgId: string, change: BulkChange, ticket_ids: string[]) {
  switch (change.action) {
    case "reassign":
      return post("tickets/reassign", { orgId }, { ticket_ids, ...change.to });
    case "reject":
      return post("tickets/reject", { orgId }, { ticket_ids, reason: change.reason });
    default:
      return post(`tickets/${change.action}`, { orgId }, { ticket_ids });
  }
}
