import { Group } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, IconRefresh } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { QuietButton } from "../../components/variants";
import { refreshMessages, sendMessage, useOrganizationId } from "../../api";
import { ErrorNotice } from "../../components/ErrorNotice";
import { isAwaitingReply, repeatableText, type ChatEntry } from "./chatMessages";

/** Below the last answer: copy it, or send the message that it answers again. */
export function AnswerActions({ conversationId, entries }: { conversationId: string; entries: ChatEntry[] }) {
  const orgId = useOrganizationId();
  const clipboard = useClipboard();
  const answer = entries.at(-1)?.message;
  const again = repeatableText(entries);
  const repeat = useMutation({
    mutationFn: (text: string) => sendMessage(orgId, conversationId, text, null),
    onSuccess: () => refreshMessages(orgId, conversationId),
  });
  const isAnswer = answer?.type === "AGENT_RESPONSE" || answer?.type === "SYSTEM";
  if (!isAnswer || isAwaitingReply(entries)) {
    return null;
  }
  const content = answer.content ?? "";
  return (
    <>
      <Group gap={4} mt={-10} className="screenOnly">
        {content !== "" && (
          <QuietButton
            size="compact-xs"
            leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            onClick={() => clipboard.copy(content)}
          >
            {clipboard.copied ? "Copied" : "Copy"}
          </QuietButton>
        )}
        {again && (
          <QuietButton
            size="compact-xs"
            leftSection={<IconRefresh size={14} />}
            loading={repeat.isPending}
            onClick={() => repeat.mutate(again)}
          >
            Ask again
          </QuietButton>
        )}
      </Group>
      <ErrorNotice error={repeat.error} />
    </>
  );
}
