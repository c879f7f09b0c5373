import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { actOnTicket, cacheTicket, refreshTicketLists, useOrganizationId } from "../../api";
import { notifyWithUndo } from "../../components/undoNotification";
import { claimUndo } from "./useTicketRefresh";

/** Claims a ticket of the list. */
export function useClaim() {
  const orgId = useOrganizationId();
  const release = async (ticketId: string) => {
    try {
      cacheTicket(orgId, await actOnTicket(orgId, ticketId, "release"));
    } finally {
      void refreshTicketLists(orgId);
    }
  };
  return useMutation({
    mutationFn: ({ id }: { id: string; number: number }) => actOnTicket(orgId, id, "claim"),
    onSuccess: (claimed) => {
      cacheTicket(orgId, claimed);
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
