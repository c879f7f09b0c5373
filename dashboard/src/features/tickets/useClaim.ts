import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { notifyWithUndo } from "../../components/undoNotification";
import { queryClient } from "../../queryClient";
import { claimUndo, refreshTicketLists } from "./useTicketRefresh";

/** Claims a ticket of the list. */
export function useClaim(orgId: string) {
  const cache = (changed: Schemas["TicketDetails"]) =>
    queryClient.setQueryData(["organization", orgId, "tickets", "one", changed.id], changed);
  const release = async (ticketId: string) => {
    const params = { path: { orgId, ticketId } };
    try {
      cache(
        await unwrap(api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/release", { params })),
      );
    } finally {
      void refreshTicketLists(orgId);
    }
  };
  return useMutation({
    mutationFn: ({ id }: { id: string; number: number }) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/claim", {
          params: { path: { orgId, ticketId: id } },
        }),
      ),
    onSuccess: (claimed) => {
      cache(claimed);
      notifyWithUndo(
        `You claimed ticket #${claimed.number}.`,
        () => release(claimed.id),
        claimUndo(claimed.id),
      );
    },
    onError: (error, { number }) =>
      notifications.show({ color: "red", message: `Ticket #${number}: ${error.message}` }),
    onSettled: () => refreshTicketLists(orgId),
  });
}
