import { Anchor, Text } from "@mantine/core";
import { Json } from "./Json";

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

/** One value of a task, as a person reads it. */
export function Value({ of, name }: { of: unknown; name: string }) {
  if (of === null || of === undefined) {
    return (
      <Text c="dimmed" size="sm" component="span">
        none
      </Text>
    );
  }
  if (typeof of === "object") {
    return <Json value={of} label={name} />;
  }
  const text = typeof of === "boolean" ? (of ? "Yes" : "No") : String(of);
  const address = typeof of === "string" ? fileAddress(of) : null;
  if (address) {
    return (
      <Anchor href={address} size="sm">
        {fileName(text)}
      </Anchor>
    );
  }
  return (
    <Text size="sm" component="span" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
      {text}
    </Text>
  );
}
