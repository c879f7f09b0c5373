import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { useDraftText } from "../../components/useLocalDraft";
import { useTicketRefresh } from "./useTicketRefresh";

/** The comment that a person writes. It stays in this browser until it is posted. */
export function useTicketComment(orgId: string, ticketId: string) {
  const [text, setText] = useDraftText(`comment/${ticketId}`);
  const refresh = useTicketRefresh(orgId, ticketId);
  const written = text.trim() !== "";
  useUnsavedChanges(written, { kept: true });
  const posting = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/comment", {
          params: { path: { orgId, ticketId } },
          body: { text: text.trim() },
        }),
      ),
    onSuccess: (changed) => {
      setText("");
      void refresh(changed);
    },
  });
  return { text, setText, written, posting };
}

export type TicketComment = ReturnType<typeof useTicketComment>;
