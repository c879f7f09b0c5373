import { Anchor, Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload, IconEye, IconEyeOff } from "@tabler/icons-react";
import { Fragment, useState } from "react";
import { DimmedXs, PlainText, InlineAnchor } from "./variants";
import { previewKind } from "./filePreviews";
import { fileName, fileUrl } from "./fileUris";
import { mentionPattern } from "./mentionPattern";
import { lazily } from "./lazily";

const FilePreview = lazily(() => import("./FilePreview"));

interface Props {
  uri: string;
  name?: string;
  /** Formatted, for example "12 KB". */
  size?: string;
}

/** A stored file as a download link. Images are shown, and other files on request if the browser can show them. */
export function StoredFile({ uri, name = fileName(uri), size }: Props) {
  const [shown, preview] = useDisclosure(false);
  const url = fileUrl(uri);
  if (url === null) {
    return (
      <Text span size="sm">
        {uri}
      </Text>
    );
  }
  const kind = previewKind(name);
  return (
    <>
      {kind === "image" && <ImagePreview url={url} name={name} />}
      <Group gap={6} wrap="nowrap">
        <IconDownload size={16} aria-hidden style={{ flex: "none" }} />
        <Anchor href={url} size="sm" download={name} style={{ overflowWrap: "anywhere" }}>
          {name}
        </Anchor>
        {size && <DimmedXs style={{ whiteSpace: "nowrap" }}>{size}</DimmedXs>}
        {kind && kind !== "image" && (
          <Button
            size="compact-xs"
            variant="subtle"
            style={{ flex: "none" }}
            leftSection={shown ? <IconEyeOff size={14} /> : <IconEye size={14} />}
            aria-expanded={shown}
            aria-label={`${shown ? "Hide" : "Preview"} ${name}`}
            onClick={preview.toggle}
          >
            {shown ? "Hide" : "Preview"}
          </Button>
        )}
      </Group>
      {shown && kind && <FilePreview url={url} name={name} kind={kind} />}
    </>
  );
}

/** An image preview; hidden when the image fails to load. */
function ImagePreview({ url, name }: { url: string; name: string }) {
  const [broken, setBroken] = useState(false);
  return broken ? null : (
    <a href={url} style={{ display: "block" }}>
      <img
        src={url}
        alt={name}
        loading="lazy"
        onError={() => setBroken(true)}
        style={{ maxWidth: "100%", maxHeight: 320, borderRadius: 8 }}
      />
    </a>
  );
}

const FILE_OR_WEB_URL = /((?:s3|https?):\/\/[^\s"'<>]+[^\s"'<>.,;:!?)\]}])/;

/**
 * Text with links for files and URLs, and with emphasized mentions of names. Text that is nothing but a file URI renders
 * as the file.
 */
export function TextWithLinks({ children: text, mentions = [] }: { children: string; mentions?: string[] }) {
  if (fileUrl(text) !== null && !/\s/.test(text)) {
    return <StoredFile uri={text} />;
  }
  return (
    <PlainText component="div">
      {text.split(FILE_OR_WEB_URL).map((part, index) => (
        // Parts have no IDs and never reorder.
        // oxlint-disable-next-line react/no-array-index-key
        <TextOrLink key={index} of={part} mentions={mentions} />
      ))}
    </PlainText>
  );
}

function TextOrLink({ of: part, mentions }: { of: string; mentions: string[] }) {
  const url = fileUrl(part);
  if (url !== null) {
    return (
      <InlineAnchor href={url} download={fileName(part)}>
        {fileName(part)}
      </InlineAnchor>
    );
  }
  return /^https?:\/\//.test(part) ? (
    <InlineAnchor href={part} target="_blank" rel="noreferrer noopener">
      {part}
    </InlineAnchor>
  ) : (
    <EmphasizedMentions of={part} mentions={mentions} />
  );
}

function EmphasizedMentions({ of: part, mentions }: { of: string; mentions: string[] }) {
  const pattern = mentionPattern(mentions);
  const names = pattern ? part.match(pattern) : null;
  if (!pattern || !names) {
    return part;
  }
  return part.split(pattern).map((between, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts have no IDs and never reorder
    <Fragment key={index}>
      {between}
      {names[index] && <strong>{names[index]}</strong>}
    </Fragment>
  ));
}
