import { Anchor, Group, Text } from "@mantine/core";
import { IconFile } from "@tabler/icons-react";
import type { Schemas } from "../../api/client";
import { fileAddress } from "../../parts/values";

interface StoredFile {
  uri?: string;
  filename?: string;
  size?: number;
}

function size(bytes: number | undefined): string {
  if (bytes === undefined) {
    return "";
  }
  return bytes < 1_048_576
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1_048_576).toFixed(1)} MB`;
}

/** A message's text and its file: pictures, sound and films play here, everything else is a download. */
export function MessageContent({ message }: { message: Schemas["Message"] }) {
  const file = message.metadata.file as StoredFile | undefined;
  const address = file?.uri ? fileAddress(file.uri) : null;
  const name = message.filename ?? file?.filename ?? "file";
  return (
    <>
      {message.content && (
        <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {message.content}
        </Text>
      )}
      {address && message.content_type === "IMAGE" && (
        <a href={address}>
          <img src={address} alt={name} style={{ maxWidth: "100%", maxHeight: 320, borderRadius: 8 }} />
        </a>
      )}
      {address && message.content_type === "AUDIO" && <audio controls src={address} aria-label={name} />}
      {address && message.content_type === "VIDEO" && (
        <video controls src={address} aria-label={name} style={{ maxWidth: "100%", maxHeight: 320 }} />
      )}
      {message.filename && (
        <Group gap={6} wrap="nowrap">
          <IconFile size={16} aria-hidden />
          {address ? (
            <Anchor href={address} size="sm">
              {name}
            </Anchor>
          ) : (
            <Text size="sm">{name}</Text>
          )}
          <Text size="xs" c="dimmed">
            {size(file?.size)}
          </Text>
        </Group>
      )}
    </>
  );
}
