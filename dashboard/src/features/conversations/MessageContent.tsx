import { Text } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { fileAddress, StoredFile, TextWithLinks } from "../../parts/files";

interface FileArea {
  uri?: string;
  filename?: string;
  size?: number;
}

function size(bytes: number | undefined): string | undefined {
  if (bytes === undefined) {
    return undefined;
  }
  return bytes < 1_048_576
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1_048_576).toFixed(1)} MB`;
}

/** A message's text and its file: pictures, sound and films are played here, and all files can be downloaded. */
export function MessageContent({ message }: { message: Schemas["Message"] }) {
  const file = message.metadata.file as FileArea | undefined;
  const address = file?.uri ? fileAddress(file.uri) : null;
  const name = message.filename ?? file?.filename ?? "file";
  return (
    <>
      {message.content && message.content !== file?.uri && <TextWithLinks>{message.content}</TextWithLinks>}
      {address && message.content_type === "AUDIO" && <audio controls src={address} aria-label={name} />}
      {address && message.content_type === "VIDEO" && (
        <video controls src={address} aria-label={name} style={{ maxWidth: "100%", maxHeight: 320 }} />
      )}
      {file?.uri ? (
        <StoredFile uri={file.uri} name={name} size={size(file.size)} />
      ) : (
        message.filename && <Text size="sm">{message.filename}</Text>
      )}
    </>
  );
}
