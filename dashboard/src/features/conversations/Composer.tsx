import { Button, Group, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent, type KeyboardEvent } from "react";
import { api, ask } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { queryClient } from "../../queryClient";
import classes from "./chat.module.css";

/** Sends a message as the signed-in person: Enter sends, Shift+Enter makes a new line. */
export function Composer({ orgId, conversationId }: { orgId: string; conversationId: string }) {
  const [text, setText] = useState("");
  const send = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/dashboard/api/organizations/{orgId}/conversations/{id}/messages", {
          params: { path: { orgId, id: conversationId } },
          body: { content: text },
        }),
      ),
    onSuccess: async () => {
      setText("");
      await queryClient.invalidateQueries({
        queryKey: ["organization", orgId, "conversation", conversationId, "messages"],
      });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "" && !send.isPending) {
      send.mutate();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      submit(event);
    }
  };
  return (
    <form onSubmit={submit} className={classes.composer}>
      <ErrorNotice error={send.error} shown={["/content"]} />
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Textarea
          aria-label="Message"
          placeholder="Write a message"
          rows={1}
          classNames={{ input: classes.field }}
          flex={1}
          value={text}
          error={faultsOf(send.error).at("/content")}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          leftSection={<IconSend size={16} />}
          loading={send.isPending}
          disabled={text.trim() === ""}
        >
          Send
        </Button>
      </Group>
    </form>
  );
}
