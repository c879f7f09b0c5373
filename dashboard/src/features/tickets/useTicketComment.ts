import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { useDraftText } from "../../components/useLocalDraft";
import { mentionedIn, readMentioned, writeMentioned, type MentionedPerson } from "./mentions";
import { useTicketRefresh } from "./useTicketRefresh";

/** The comment that a person writes, and the people chosen for mentions. Both stay in this browser until it is posted. */
export function useTicketComment(orgId: string, ticketId: string) {
  const [text, setText] = useDraftText(`comment/${ticketId}`);
  const [mentionedDraft, setMentionedDraft] = useDraftText(`comment-mentions/${ticketId}`);
  const chosen = readMentioned(mentionedDraft);
  const refresh = useTicketRefresh(orgId, ticketId);
  const written = text.trim() !== "";
  useUnsavedChanges(written, { kept: true });
  const posting = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/comment", {
          params: { path: { orgId, ticketId } },
          body: { text: text.trim(), mentions: mentionedIn(text, chosen).map(({ id }) => id) },
        }),
      ),
    onSuccess: (changed) => {
      setText("");
      setMentionedDraft("");
      void refresh(changed);
    },
  });
  const mention = ({ id, name }: MentionedPerson) =>
    setMentionedDraft(writeMentioned([...mentionedIn(text, chosen), { id, name }]));
  return { text, setText, written, mention, posting };
}

export type TicketComment = ReturnType<typeof useTicketComment>;
