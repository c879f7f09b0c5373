import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { fileUrl } from "./fileUris";
import { isParsable, looksLikeMarkdown } from "./markdownText";
import { TextWithLinks } from "./StoredFile";

const MarkdownContent = lazy(() => import("./MarkdownContent"));

/**
 * Renders Markdown without raw HTML and without images of other servers. The parser loads on first use; until then the
 * text is shown as it is.
 */
export function Markdown({ children: text }: { children: string }) {
  const plain = <TextWithLinks>{text}</TextWithLinks>;
  return isParsable(text) ? (
    <Suspense fallback={plain}>
      <MarkdownContent text={text} />
    </Suspense>
  ) : (
    plain
  );
}

interface Props {
  children: string;
  /** Adds a button that shows the source. */
  switchable?: boolean;
}

/** A text of an agent or a person: Markdown if it looks like it, otherwise text with links. */
export function FormattedText({ children: text, switchable = false }: Props) {
  const [plain, toggle] = useDisclosure(false);
  if (fileUrl(text) !== null || !looksLikeMarkdown(text)) {
    return <TextWithLinks>{text}</TextWithLinks>;
  }
  return (
    <>
      {plain ? <TextWithLinks>{text}</TextWithLinks> : <Markdown>{text}</Markdown>}
      {switchable && (
        <Button size="compact-xs" variant="subtle" color="gray" mt={4} onClick={toggle.toggle}>
          {plain ? "Show formatted" : "Show plain text"}
        </Button>
      )}
    </>
  );
}
