import { Text } from "@mantine/core";
import { memberLabel } from "../../components/memberLabel";
import { fileName, fileUrl } from "../../components/fileUris";
import { FormattedText } from "../../components/Markdown";
import { StoredFile, TextWithLinks } from "../../components/StoredFile";
import { ValueList } from "../../components/ValueList";
import { plainText, rejectionOf, requestedInputs, type ChatEntry } from "./chatMessages";

interface FileMetadata {
  uri?: string;
  filename?: string;
  size?: number;
}

function formatSize(bytes: number | undefined): string | undefined {
  if (bytes === undefined) {
    return undefined;
  }
  return bytes < 1_048_576
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1_048_576).toFixed(1)} MB`;
}

interface Props {
  entry: ChatEntry;
  /** Shows the text as it was written. */
  plain: boolean;
}

/** The text and file of a message. Images, audio and video appear inline; every file can be downloaded. */
export function MessageContent({ entry, plain }: Props) {
  const { message } = entry;
  const file = message.metadata.file as FileMetadata | undefined;
  const url = file?.uri ? fileUrl(file.uri) : null;
  const name = fileName(file?.uri ?? message.filename ?? "file");
  return (
    <>
      {message.content && message.content !== file?.uri && (
        <MessageText entry={entry} content={message.content} plain={plain} />
      )}
      {url && message.content_type === "AUDIO" && <audio controls src={url} aria-label={name} />}
      {url && message.content_type === "VIDEO" && (
        <video controls src={url} aria-label={name} style={{ maxWidth: "100%", maxHeight: 320 }} />
      )}
      {file?.uri ? (
        <StoredFile uri={file.uri} name={name} size={formatSize(file.size)} />
      ) : (
        message.filename && <Text size="sm">{name}</Text>
      )}
    </>
  );
}

function MessageText({ entry, content, plain }: Props & { content: string }) {
  const { message, openInputs, values, repeated = message } = entry;
  if (plain) {
    return <TextWithLinks>{content}</TextWithLinks>;
  }
  if (values) {
    return <ValueList readable values={values} />;
  }
  const requested = requestedInputs(message);
  if (requested.length > 0) {
    return (
      <>
        {rejectionOf(message) && <Text size="sm">{rejectionOf(message)}</Text>}
        <Text size="sm">
          {openInputs
            ? "To continue, I need the following."
            : `To continue, I asked for: ${requested.map((input) => memberLabel(input.name)).join(", ")}.`}
        </Text>
      </>
    );
  }
  return <FormattedText>{plainText(repeated.type, repeated.metadata, content)}</FormattedText>;
}
