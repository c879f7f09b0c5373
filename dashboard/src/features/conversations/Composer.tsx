import { Button, FileButton, Group, Textarea, Tooltip } from "@mantine/core";
import { IconPaperclip, IconSend } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import {
  useEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
} from "react";
import {
  fieldErrors,
  refetch,
  sendMessage,
  storeFile,
  useConnection,
  useMe,
  useOrganizationId,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import { DimmedXs } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { IconButton } from "../../components/IconButton";
import { AttachmentList } from "./AttachmentList";
import { ACCEPTED_FILES, namedByTime } from "./attachments";
import type { Attachment, Attachments } from "./useAttachments";
import classes from "./chat.module.css";

interface Props {
  conversationId: string;
  /** The actor that started the conversation. */
  startedBy: string;
  text: string;
  setText: (text: string) => void;
  attachments: Attachments;
  /** Whether the model answers, and not an agent. */
  withModel: boolean;
  /** Called when a message is sent, so that it comes into view. */
  onSend: () => void;
}

export const MESSAGE_FIELD = "message";

/**
 * Focuses the field when the page opens, but not where that would open an on-screen keyboard, while the user types
 * in a dialog such as the command palette, or while the arrow keys move in the list of conversations.
 */
function useFocusOnOpen(field: RefObject<HTMLTextAreaElement | null>) {
  useEffect(() => {
    const keepsFocus = document.activeElement?.matches("[role=dialog] *, aside a:focus-visible") === true;
    if (!keepsFocus && window.matchMedia("(hover: hover)").matches) {
      field.current?.focus({ preventScroll: true });
    }
  }, [field]);
}

/** Writes a message with files. Enter sends; Shift+Enter starts a new line. */
export function Composer(props: Props) {
  const { conversationId, startedBy, text, setText, attachments, withModel, onSend } = props;
  const orgId = useOrganizationId();
  const latestText = useRef(text);
  useEffect(() => {
    latestText.current = text;
  }, [text]);
  const field = useRef<HTMLTextAreaElement>(null);
  useFocusOnOpen(field);
  const write = (next: string) => {
    latestText.current = next;
    setText(next);
  };
  // Keep what the user typed while the message was being sent.
  const removeSent = (sent: string) => {
    const now = latestText.current;
    write(now.startsWith(sent) ? now.slice(sent.length).trimStart() : now);
  };
  /** The name of the stored file; undefined if the upload failed. */
  const upload = async ({ id, file, filename }: Attachment) => {
    if (filename !== undefined) {
      return filename;
    }
    attachments.update(id, { share: 0, error: undefined });
    try {
      const stored = await storeFile(orgId, file, (share) => attachments.update(id, { share }));
      attachments.update(id, { filename: stored.filename });
      return stored.filename;
    } catch (error) {
      attachments.update(id, { share: undefined, error });
      return undefined;
    }
  };
  const sending = useMutation({
    mutationFn: async (message: { text: string; files: Attachment[] }) => {
      if (message.files.length === 0) {
        await sendMessage(orgId, conversationId, message.text, null);
        removeSent(message.text);
      }
      // The model's last answer is about all files; the first message to an agent starts its run.
      const captionAt = withModel ? message.files.length - 1 : 0;
      // All files are uploaded before the first is sent, so that their messages follow each other.
      const names = await Promise.all(message.files.map(upload));
      for (const [index, { id, file }] of message.files.entries()) {
        const caption = index === captionAt ? message.text : "";
        const filename = names[index];
        if (filename === undefined || names.includes(undefined)) {
          message.files.forEach((each) => attachments.update(each.id, { share: undefined }));
          return;
        }
        try {
          // Messages keep the order of the files.
          // oxlint-disable-next-line no-await-in-loop
          await sendMessage(orgId, conversationId, caption, { type: file.type, filename });
        } catch (error) {
          attachments.update(id, { share: undefined, error });
          return;
        }
        attachments.remove(id);
        removeSent(caption);
      }
    },
    onSettled: async () => {
      await refetch(orgId, ["conversation", conversationId, "messages"]);
      // The first message is the title.
      await refetch(orgId, "conversations");
    },
  });
  const isConnected = useConnection().state === "ok";
  const files = attachments.list.filter((each) => each.refusal === undefined);
  const hasRefused = files.length < attachments.list.length;
  const ready = isConnected && !hasRefused && (text.trim() !== "" || files.length > 0);
  /** How often the person tried to send files that cannot be sent. */
  const [blocked, setBlocked] = useState(0);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setBlocked(hasRefused ? blocked + 1 : 0);
    if (ready && !sending.isPending) {
      onSend();
      sending.mutate({ text, files });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      submit(event);
    } else if (event.key === "Escape" && !event.nativeEvent.isComposing) {
      // The shortcut keys of the page work again.
      field.current?.blur();
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    // Office programs put a picture beside the text.
    if (event.clipboardData.files.length > 0 && !event.clipboardData.types.includes("text/plain")) {
      event.preventDefault();
      attachments.add([...event.clipboardData.files].map((each) => namedByTime(each, new Date())));
    }
  };
  return (
    <form onSubmit={submit} className={`${classes.composer} screenOnly`}>
      <ErrorNotice error={sending.error} fieldPaths={["/content"]} />
      <AttachmentList
        attachments={attachments}
        blocked={blocked}
        onRetry={submit}
        onInsertText={(inserted) => write(text.trim() === "" ? inserted : `${text}\n${inserted}`)}
      />
      <AuthorNote startedBy={startedBy} withModel={withModel} />
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <FileButton onChange={attachments.add} accept={ACCEPTED_FILES} multiple>
          {(button) => (
            <Tooltip label="Attach files, or drop or paste them">
              <IconButton
                icon={IconPaperclip}
                iconSize={18}
                label="Attach files"
                {...button}
                variant="default"
                size={36}
              />
            </Tooltip>
          )}
        </FileButton>
        <Textarea
          ref={field}
          id={MESSAGE_FIELD}
          aria-label="Message"
          aria-describedby={AUTHOR_NOTE}
          placeholder="Write a message"
          rows={1}
          classNames={{ input: classes.field }}
          flex={1}
          value={text}
          error={fieldErrors(sending.error).at("/content")}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
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

const AUTHOR_NOTE = "message-author";

/** In a conversation that someone else started: in whose name the user writes, and who answers. */
function AuthorNote({ startedBy, withModel }: { startedBy: string; withModel: boolean }) {
  const nameOf = useActorName();
  const { data: me } = useMe();
  if (!me || startedBy === `user:${me.id}`) {
    return null;
  }
  const withCustomer = startedBy.startsWith("api_key:");
  return (
    <DimmedXs id={AUTHOR_NOTE} mb={4}>
      You write as {me.name}
      {withCustomer && " (team)"} in a conversation of {nameOf(startedBy)}. The{" "}
      {withModel ? "model" : "agent"} answers your message.
    </DimmedXs>
  );
}
