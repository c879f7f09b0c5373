import { Button, Group } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, IconRefresh } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { ErrorNotice } from "../../components/ErrorNotice";
import { queryClient } from "../../queryClient";
import { isAwaitingReply, repeatableText, type ChatEntry } from "./chatMessages";
import { sendMessage } from "./sendMessage";

interface Props {
  orgId: string;
  conversationId: string;
  entries: ChatEntry[];
}

/** Below the last answer: copy it, or send the message that it answers again. */
export function AnswerActions({ orgId, conversationId, entries }: Props) {
  const clipboard = useClipboard();
  const answer = entries.at(-1)?.message;
  const again = repeatableText(entries);
  const repeat = useMutation({
    mutationFn: (text: string) => sendMessage(orgId, conversationId, text, null),
    onSuccess: () =>
      queryClient.invalidateQueries({
        queryKey: ["organization", orgId, "conversation", conversationId, "messages"],
      }),
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
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            onClick={() => clipboard.copy(content)}
          >
            {clipboard.copied ? "Copied" : "Copy"}
          </Button>
        )}
        {again && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconRefresh size={14} />}
            loading={repeat.isPending}
            onClick={() => repeat.mutate(again)}
          >
            Ask again
          </Button>
        )}
      </Group>
      <ErrorNotice error={repeat.error} />
    </>
  );
}
