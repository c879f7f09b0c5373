import { useDocumentVisibility } from "@mantine/hooks";
import { useEffect } from "react";
import { api, unwrap } from "../../api/client";
import { queryClient } from "../../queryClient";

/** Marks a conversation as read up to its newest message while the page is visible. */
export function useReadPosition(orgId: string, id: string, newest: string | undefined) {
  const visible = useDocumentVisibility() === "visible";
  useEffect(() => {
    if (newest && visible) {
      unwrap(
        api.PUT("/dashboard/api/organizations/{orgId}/conversations/{conversationId}/read-position", {
          params: { path: { orgId, conversationId: id } },
          body: { message_id: newest },
        }),
      )
        .then(() => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "conversations"] }))
        // The next message moves the position, too.
        .catch(() => {});
    }
  }, [orgId, id, newest, visible]);
}
