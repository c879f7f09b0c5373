import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useEffect, useState } from "react";
import { QuietButton } from "./variants";
import { fileUrl } from "./fileUris";
import { isParsable, looksLikeMarkdown } from "./markdownText";
import { TextWithLinks } from "./StoredFile";
import { useIdle } from "./useIdle";

type Content = typeof import("./MarkdownContent").default;

/** The parser once it has loaded, which a lazy component shows only in a later frame. */
let loaded: Content | undefined;
const load = async () => {
  const module = await import("./MarkdownContent");
  loaded = module.default;
  return module;
};
const MarkdownContent = lazy(load);

/** Loads the parser when the browser is idle, for texts that appear only on paper, which cannot wait for it. */
export function useMarkdownOnPaper() {
  const idle = useIdle();
  useEffect(() => {
    if (idle) {
      // Without the parser, paper has the plain texts.
      void load().catch(() => undefined);
    }
  }, [idle]);
}

/**
 * Renders Markdown without raw HTML and without images of other servers. The parser loads on first use; until then the
 * text is shown as it is.
 */
export function Markdown({ children: text, mentions }: { children: string; mentions?: string[] }) {
  const [Content] = useState(() => loaded ?? MarkdownContent);
  const plain = <TextWithLinks mentions={mentions}>{text}</TextWithLinks>;
  return isParsable(text) ? (
    <Suspense fallback={plain}>
      <Content text={text} mentions={mentions} />
    </Suspense>
  ) : (
    plain
  );
}

interface Props {
  children: string;
  /** Adds a button that shows the source. */
  switchable?: boolean;
  /** Names whose "@Name" is emphasized. */
  mentions?: string[];
}

/** A text of an agent or a person: Markdown if it looks like it, otherwise text with links. */
export function FormattedText({ children: text, switchable = false, mentions }: Props) {
  const [plain, toggle] = useDisclosure(false);
  if (fileUrl(text) !== null || !looksLikeMarkdown(text)) {
    return <TextWithLinks mentions={mentions}>{text}</TextWithLinks>;
  }
  return (
    <>
      {plain ? (
        <TextWithLinks mentions={mentions}>{text}</TextWithLinks>
      ) : (
        <Markdown mentions={mentions}>{text}</Markdown>
      )}
      {switchable && (
        <QuietButton size="compact-xs" mt={4} onClick={toggle.toggle}>
          {plain ? "Show formatted" : "Show plain text"}
        </QuietButton>
      )}
    </>
  );
}
