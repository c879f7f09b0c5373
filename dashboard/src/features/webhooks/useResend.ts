import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { queryClient } from "../../queryClient";
import { refreshEndpoints } from "./endpointQueries";

interface Resend extends Pick<Schemas["WebhookDelivery"], "id" | "state"> {
  /** Whether another delivery waits for this one. */
  isEarlier?: boolean;
}

/** Sends a delivery again, or retries it before its time. */
export function useResend(orgId: string) {
  return useMutation({
    mutationFn: ({ id }: Resend) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/webhook-deliveries/{deliveryId}/replay", {
          params: { path: { orgId, deliveryId: id } },
        }),
      ),
    onSuccess: async ({ type }, { state, isEarlier }) => {
      const name = `${isEarlier ? "the earlier event " : ""}“${type}”`;
      const message = state === "RETRYING" ? `Retrying ${name} now.` : `${name} is being sent again.`;
      notifications.show({ message });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "webhook-deliveries"] });
      await refreshEndpoints(orgId);
    },
  });
}
