import { useCommentOnTicket } from "../../api";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { useDraftText } from "../../components/useLocalDraft";
import { mentionedIn, readMentioned, writeMentioned, type MentionedPerson } from "./mentions";
import { useTicketRefresh } from "./useTicketRefresh";

/** The comment that a person writes, and the people chosen for mentions. Both stay in this browser until it is posted. */
export function useTicketComment(ticketId: string) {
  const [text, setText] = useDraftText(`comment/${ticketId}`);
  const [mentionedDraft, setMentionedDraft] = useDraftText(`comment-mentions/${ticketId}`);
  const chosen = readMentioned(mentionedDraft);
  const refresh = useTicketRefresh();
  const written = text.trim() !== "";
  useUnsavedChanges(written, { kept: true });
  const request = useCommentOnTicket(ticketId, {
    onSuccess: (changed) => {
      setText("");
      setMentionedDraft("");
      void refresh(changed);
    },
  });
  const post = (options?: { onSettled: () => void }) =>
    request.mutate({ text: text.trim(), mentions: mentionedIn(text, chosen).map(({ id }) => id) }, options);
  const mention = ({ id, name }: MentionedPerson) =>
    setMentionedDraft(writeMentioned([...mentionedIn(text, chosen), { id, name }]));
  return { text, setText, written, mention, posting: { ...request, post } };
}

export type TicketComment = ReturnType<typeof useTicketComment>;
