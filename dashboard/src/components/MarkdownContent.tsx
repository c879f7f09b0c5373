import { findAndReplace } from "mdast-util-find-and-replace";
import { createElement, type ComponentProps, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CopyButton } from "./CopyButton";
import { fileName, fileUrl } from "./fileUris";
import { mentionPattern } from "./mentionPattern";
import { safeUrl } from "./markdownText";
import classes from "./markdown.module.css";

type Tree = Parameters<typeof findAndReplace>[0];

/** Makes links of the URIs of stored files. */
function linkFiles() {
  return (tree: Tree) =>
    findAndReplace(
      tree,
      [
        /s3:\/\/[^\s"'<>]+[^\s"'<>.,:;!?)\]}]/g,
        (uri: string) =>
          fileUrl(uri) !== null && {
            type: "link",
            url: uri,
            children: [{ type: "text", value: fileName(uri) }],
          },
      ],
      { ignore: ["link", "linkReference"] },
    );
}

/** Emphasizes mentions. */
function emphasize(pattern: RegExp | null) {
  return (tree: Tree) =>
    pattern &&
    findAndReplace(
      tree,
      [pattern, (value: string) => ({ type: "strong", children: [{ type: "text", value }] })],
      { ignore: ["link", "linkReference", "strong"] },
    );
}

const isFile = (url: string) => url.startsWith("/dashboard/api/");

function Link({ href, children }: { href?: string; children?: ReactNode }) {
  if (!href) {
    return children;
  }
  return isFile(href) ? (
    <a href={href} download>
      {children}
    </a>
  ) : (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** Remote images become links, because loading them would reveal the reader to the other server. */
function Image({ src, alt }: { src?: unknown; alt?: string }) {
  if (typeof src !== "string" || src === "") {
    return alt;
  }
  return isFile(src) ? (
    <img src={src} alt={alt ?? ""} loading="lazy" />
  ) : (
    <Link href={src}>{alt || src}</Link>
  );
}

/** Headings start at level 3, because they are inside of a page. Their IDs could collide with those of the page. */
const heading = (level: number) =>
  function Heading({ children }: { children?: ReactNode }) {
    return createElement(`h${Math.min(6, level + 2)}`, null, children);
  };

/** The source of a block of code. */
function sourceOf(node: unknown): string {
  const { value, children = [] } = node as { value?: string; children?: unknown[] };
  return value ?? children.map(sourceOf).join("");
}

function CodeBlock({ node, children }: ComponentProps<"pre"> & { node?: unknown }) {
  return (
    <div className={classes.block}>
      <pre className="code" tabIndex={0} aria-label="Code">
        {children}
      </pre>
      <div className={classes.copy}>
        <CopyButton small text={sourceOf(node)} label="Copy code" />
      </div>
    </div>
  );
}

const COMPONENTS: Components = {
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  a: Link,
  img: Image,
  pre: CodeBlock,
  li: ({ children }) => <li>{children}</li>,
  input: ({ checked }) => (checked ? "☑ " : "☐ "),
  table: ({ children }) => (
    <div className={classes.table} tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
};

const PLUGINS = [remarkGfm, linkFiles];

/** Parsed Markdown. Raw HTML is shown as text. */
export default function MarkdownContent({ text, mentions = [] }: { text: string; mentions?: string[] }) {
  return (
    <div className={classes.markdown}>
      <ReactMarkdown
        remarkPlugins={[...PLUGINS, [emphasize, mentionPattern(mentions)]]}
        components={COMPONENTS}
        urlTransform={safeUrl}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
