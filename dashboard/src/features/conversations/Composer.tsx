import {
  ActionIcon,
  Button,
  CloseButton,
  FileButton,
  Group,
  Progress,
  Text,
  Textarea,
  Tooltip,
} from "@mantine/core";
import { IconPaperclip, IconSend } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent, type KeyboardEvent } from "react";
import { fieldErrors } from "../../api/problem";
import { ErrorNotice } from "../../components/ErrorNotice";
import { queryClient } from "../../queryClient";
import { sendMessage } from "./sendMessage";
import classes from "./chat.module.css";

/** Writes a message with an optional file. Enter sends; Shift+Enter starts a new line. */
export function Composer({ orgId, conversationId }: { orgId: string; conversationId: string }) {
  const [text, setText] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [uploadShare, setUploadShare] = useState(0);
  const sending = useMutation({
    mutationFn: (message: { text: string; file: File | null }) =>
      sendMessage(orgId, conversationId, message.text, message.file, setUploadShare),
    onMutate: () => setUploadShare(0),
    onSuccess: async (_, sent) => {
      // Keep what the user typed while the message was being sent.
      setText((now) => (now.startsWith(sent.text) ? now.slice(sent.text.length).trimStart() : now));
      setFile((now) => (now === sent.file ? null : now));
      await queryClient.invalidateQueries({
        queryKey: ["organization", orgId, "conversation", conversationId, "messages"],
      });
    },
  });
  const ready = text.trim() !== "" || file !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready && !sending.isPending) {
      sending.mutate({ text, file });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      submit(event);
    }
  };
  return (
    <form onSubmit={submit} className={classes.composer}>
      <ErrorNotice error={sending.error} fieldPaths={["/content"]} />
      {file && sending.isPending && (
        <Progress className="slow" value={100 * uploadShare} aria-label={`Uploading ${file.name}`} mb={6} />
      )}
      {file && (
        <Group gap={4} mb={6}>
          <IconPaperclip size={16} aria-hidden />
          <Text size="sm">{file.name}</Text>
          <CloseButton size="sm" aria-label={`Remove ${file.name}`} onClick={() => setFile(null)} />
        </Group>
      )}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <FileButton
          onChange={setFile}
          accept="image/*,audio/*,video/mp4,video/webm,video/quicktime,application/pdf,.xlsx,text/csv"
        >
          {(button) => (
            <Tooltip label="Attach a file">
              <ActionIcon {...button} variant="default" size={36} aria-label="Attach a file">
                <IconPaperclip size={18} />
              </ActionIcon>
            </Tooltip>
          )}
        </FileButton>
        <Textarea
          aria-label="Message"
          placeholder="Write a message"
          rows={1}
          classNames={{ input: classes.field }}
          flex={1}
          value={text}
          error={fieldErrors(sending.error).at("/content")}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          leftSection={<IconSend size={16} />}
          loading={sending.isPending}
          disabled={!ready}
        >
          Send
        </Button>
      </Group>
    </form>
  );
}
