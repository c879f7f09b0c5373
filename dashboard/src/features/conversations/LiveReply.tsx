import { Group, Text } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import { useLiveTexts, type LiveTexts, type Schemas } from "../../api";
import { useActorName } from "../../components/actorNames";
import { capitalized } from "../../components/capitalized";
import { FormattedText } from "../../components/Markdown";
import classes from "./chat.module.css";

interface Props {
  texts: LiveTexts;
  messages: Schemas["Message"][];
  /** Shown until the first text arrives. */
  children: ReactNode;
}

/** Whether the key is of a reply's text, not of a task's. */
const isReply = (key: string) => !key.includes("/");

/** Whether a reply is stored, or will never be, because a later one is: a conversation has one reply at a time. */
const isOver = (id: string, messages: Schemas["Message"][]) =>
  messages.some((message) => message.id === id || (message.type !== "USER_INPUT" && message.id > id));

/**
 * The reply that the model is writing, in the place of its message. Screen readers announce the message when it is
 * whole, and not its pieces.
 */
export function LiveReply({ texts, messages, children }: Props) {
  const nameOf = useActorName();
  const written = useLiveTexts(texts);
  // The message replaces its text in the same render.
  const replies = [...written].filter(([id]) => isReply(id) && !isOver(id, messages));
  useEffect(() => {
    for (const id of written.keys()) {
      if (isReply(id) && isOver(id, messages)) {
        texts.remove(id);
      }
    }
  }, [texts, written, messages]);
  return replies.length === 0
    ? children
    : replies.map(([id, text]) => (
        <div key={id} className={classes.message} data-type="AGENT_RESPONSE" aria-live="off" aria-busy>
          <Group gap={6} mb={4}>
            <Text size="xs" fw={600}>
              {capitalized(nameOf("system"))}
            </Text>
          </Group>
          <div className={classes.bubble}>
            <FormattedText>{text}</FormattedText>
          </div>
        </div>
      ));
}
