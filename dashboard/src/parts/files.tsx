import { Anchor, Group, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";

/** Files travel as s3://bucket/path, where the path begins with the organization; its people read them by the API. */
export function fileAddress(uri: string): string | null {
  const [, path, orgId] = /^s3:\/\/[^/]+\/(([0-9a-f]{32})\/.+)$/.exec(uri) ?? [];
  return path && orgId
    ? `/dashboard/api/organizations/${orgId}/media/files/${path.split("/").map(encodeURIComponent).join("/")}`
    : null;
}

export function fileName(uri: string): string {
  return uri.slice(uri.lastIndexOf("/") + 1);
}

const isPicture = (uri: string) => /\.(png|jpe?g|gif|webp|avif|bmp)$/i.test(uri);

interface Props {
  uri: string;
  name?: string;
  /** In words, such as "12 KB". */
  size?: string;
}

/** A stored file: a picture is seen, and everything is a download, by the session of who looks. */
export function StoredFile({ uri, name = fileName(uri), size }: Props) {
  const address = fileAddress(uri);
  return address === null ? (
    <Text span size="sm">
      {uri}
    </Text>
  ) : (
    <>
      {isPicture(uri) && <Picture address={address} name={name} />}
      <Group gap={6} wrap="nowrap">
        <IconDownload size={16} aria-hidden style={{ flex: "none" }} />
        <Anchor href={address} size="sm" download={name} style={{ overflowWrap: "anywhere" }}>
          {name}
        </Anchor>
        {size && (
          <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            {size}
          </Text>
        )}
      </Group>
    </>
  );
}

/** A picture; one that cannot be shown leaves its link alone. */
function Picture({ address, name }: { address: string; name: string }) {
  const [broken, setBroken] = useState(false);
  return broken ? null : (
    <a href={address} style={{ display: "block" }}>
      <img
        src={address}
        alt={name}
        loading="lazy"
        onError={() => setBroken(true)}
        style={{ maxWidth: "100%", maxHeight: 320, borderRadius: 8 }}
      />
    </a>
  );
}

const ADDRESS = /((?:s3|https?):\/\/[^\s"'<>]+[^\s"'<>.,;:!?)\]}])/;

/** A text in which addresses of files and pages are links; a text that is a file's address alone is the file. */
export function TextWithLinks({ children: text }: { children: string }) {
  if (fileAddress(text) !== null && !/\s/.test(text)) {
    return <StoredFile uri={text} />;
  }
  return (
    <Text size="sm" component="div" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
      {text.split(ADDRESS).map((part, index) => (
        // Parts have no ids, and do not change.
        // oxlint-disable-next-line react/no-array-index-key
        <Part key={index} of={part} />
      ))}
    </Text>
  );
}

function Part({ of: part }: { of: string }) {
  const address = fileAddress(part);
  if (address !== null) {
    return (
      <Anchor href={address} inherit download={fileName(part)}>
        {fileName(part)}
      </Anchor>
    );
  }
  return /^https?:\/\//.test(part) ? (
    <Anchor href={part} inherit target="_blank" rel="noreferrer noopener">
      {part}
    </Anchor>
  ) : (
    part
  );
}
