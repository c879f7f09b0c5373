import { Text } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { fileName, fileUrl } from "../../components/fileUris";
import { FormattedText } from "../../components/Markdown";
import { StoredFile } from "../../components/StoredFile";

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

/** The text and file of a message. Images, audio and video appear inline; every file can be downloaded. */
export function MessageContent({ message }: { message: Schemas["Message"] }) {
  const file = message.metadata.file as FileMetadata | undefined;
  const url = file?.uri ? fileUrl(file.uri) : null;
  const name = fileName(file?.uri ?? message.filename ?? "file");
  return (
    <>
      {message.content && message.content !== file?.uri && <FormattedText>{message.content}</FormattedText>}
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
