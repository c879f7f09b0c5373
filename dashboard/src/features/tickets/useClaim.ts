import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { queryClient } from "../../queryClient";
import { refreshTicketLists } from "./useTicketRefresh";

/** Claims a ticket of the list. */
export function useClaim(orgId: string) {
  return useMutation({
    mutationFn: ({ id }: { id: string; number: number }) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/claim", {
          params: { path: { orgId, ticketId: id } },
        }),
      ),
    onSuccess: (claimed) => {
      queryClient.setQueryData(["organization", orgId, "tickets", "one", claimed.id], claimed);
      notifications.show({ message: `You claimed ticket #${claimed.number}.` });
    },
    onError: (error, { number }) =>
      notifications.show({ color: "red", message: `Ticket #${number}: ${error.message}` }),
    onSettled: () => refreshTicketLists(orgId),
  });
}
