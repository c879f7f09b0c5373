import { CloseButton, Group, Progress, Text } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";
import { SecondaryButton, DimmedXs, ErrorXs } from "../../components/variants";
import { isText } from "./attachments";
import type { Attachment, Attachments } from "./useAttachments";
import classes from "./chat.module.css";

interface Props {
  attachments: Attachments;
  /** How often the person tried to send files that cannot be sent. */
  blocked: number;
  /** Sends the files that were not sent. */
  onRetry: () => void;
  onInsertText: (text: string) => void;
}

/** The files of the next message with their progress, and why some cannot be sent. */
export function AttachmentList({ attachments, blocked, onRetry, onInsertText }: Props) {
  if (attachments.list.length === 0) {
    return null;
  }
  return (
    <ul className={classes.attachments} aria-label="Attached files">
      {attachments.list.map((each) => (
        <li key={each.id}>
          <Group gap={6} wrap="nowrap">
            <IconPaperclip size={16} aria-hidden style={{ flex: "none" }} />
            <Text size="sm" truncate>
              {each.file.name}
            </Text>
            {each.refusal !== undefined && isText(each.file) && (
              <SecondaryButton
                size="compact-xs"
                style={{ flex: "none" }}
                onClick={async () => {
                  onInsertText(await each.file.text());
                  attachments.remove(each.id);
                }}
              >
                Insert as text
              </SecondaryButton>
            )}
            {each.error !== undefined && (
              <SecondaryButton size="compact-xs" style={{ flex: "none" }} onClick={onRetry}>
                Try again
              </SecondaryButton>
            )}
            <CloseButton
              size="sm"
              aria-label={`Remove ${each.file.name}`}
              disabled={each.share !== undefined}
              onClick={() => attachments.remove(each.id)}
            />
          </Group>
          <Problem attachment={each} />
          {each.share !== undefined && (
            <Progress className="slow" value={100 * each.share} aria-label={`Uploading ${each.file.name}`} />
          )}
        </li>
      ))}
      {attachments.list.some(({ refusal }) => refusal !== undefined) && (
        <li>
          {/* Each attempt is announced. */}
          <Text
            key={blocked}
            ref={blocked > 0 ? intoView : undefined}
            size="xs"
            c={blocked > 0 ? "var(--mantine-color-error)" : "dimmed"}
            fw={blocked > 0 ? 600 : undefined}
            role={blocked > 0 ? "alert" : undefined}
          >
            {blocked > 0 && "Not sent. "}Remove the files that can’t be sent to send the message.
          </Text>
        </li>
      )}
      {attachments.list.filter(({ refusal }) => refusal === undefined).length > 1 && (
        <DimmedXs component="li">Each file is sent as a message of its own, with its own answer.</DimmedXs>
      )}
    </ul>
  );
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

function Problem({ attachment: { refusal, error } }: { attachment: Attachment }) {
  const problem = refusal ?? (error instanceof Error ? error.message : undefined);
  return problem !== undefined && <ErrorXs role="alert">{problem}</ErrorXs>;
}
