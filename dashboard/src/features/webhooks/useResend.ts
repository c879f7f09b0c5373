import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { queryClient } from "../../queryClient";
import { refreshEndpoints } from "./endpointQueries";

/** Sends a delivery again. */
export function useResend(orgId: string) {
  return useMutation({
    mutationFn: ({ id }: Pick<Schemas["WebhookDelivery"], "id">) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/webhook-deliveries/{deliveryId}/replay", {
          params: { path: { orgId, deliveryId: id } },
        }),
      ),
    onSuccess: async ({ type }) => {
      notifications.show({ message: `“${type}” is being sent again.` });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "webhook-deliveries"] });
      await refreshEndpoints(orgId);
    },
  });
}
