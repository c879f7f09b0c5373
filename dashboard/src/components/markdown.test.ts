import { MantineProvider } from "@mantine/core";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { fileName, fileUrl } from "./fileUris";
import MarkdownContent from "./MarkdownContent";
import { isParsable, looksLikeMarkdown, safeUrl } from "./markdownText";

const ORG = "0192f0c1a2b37c4d8e5f60718293a4b5";
const FILE = `s3://parley/${ORG}/pdf/0192f0c1a2b37c4d8e5f60718293a4b6/20261122_121534_an offer.pdf`.replace(
  " ",
  "-",
);

const render = (text: string, mentions: string[] = []) =>
  renderToStaticMarkup(
    createElement(MantineProvider, null, createElement(MarkdownContent, { text, mentions })),
  )
    .replace(/<style.*?<\/style>/gs, "")
    .replaceAll(/ class="[^"]*"/g, "");

describe("Markdown", () => {
  test("renders headings, lists, tables, code and quotes", () => {
    const html = render(
      "# One\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n`c`\n\n```\nd <e>\n```\n\n> f **g**",
    );
    for (const part of ["<h3>One</h3>", "<li>a</li>", "<td>2</td>", "<code>c</code>", "d &lt;e&gt;"]) {
      expect(html).toContain(part);
    }
    expect(html).toMatch(/<blockquote>\s*<p>f <strong>g<\/strong><\/p>/);
  });

  test("emphasizes mentions, but not in code and links", () => {
    const text = "See `@Ada`, [@Ada](https://example.com), @Adam and @Ada!";
    const html = render(text, ["Ada"]);
    expect(html).toContain("<code>@Ada</code>");
    expect(html).toContain("@Adam and <strong>@Ada</strong>!");
    expect(html.match(/<strong>/g)).toHaveLength(1);
    expect(render(text)).not.toContain("<strong>");
  });

  test("opens links in a new tab without access to this one", () => {
    expect(render("[the terms](https://example.com/terms)")).toContain(
      '<a href="https://example.com/terms" title="https://example.com/terms" target="_blank" rel="noopener noreferrer">the terms</a>',
    );
  });

  test("links stored files by their original name", () => {
    const html = render(`The offer: ${FILE}.`);
    expect(html).toContain(`<a href="${fileUrl(FILE)}" download="">an-offer.pdf</a>.`);
  });

  test("shows images of other servers as links", () => {
    const html = render("![a pixel](https://tracker.example/p.png)");
    expect(html).not.toContain("<img");
    expect(html).toContain(">a pixel</a>");
  });

  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<iframe src=javascript:alert(1)></iframe>",
    '<a href="javascript:alert(1)">x</a>',
    "<style>*{display:none}</style>",
    "<form action=https://evil.example><input name=password></form>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\nscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](\u0001javascript:alert(1))",
    "[x](vbscript:msgbox)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](blob:https://example.com/1)",
    "[x](file:///etc/passwd)",
    "[x](//evil.example)",
    "[x](/organizations)",
    "[x](#root)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml,<svg onload=alert(1)>)",
    "[x][1]\n\n[1]: javascript:alert(1)",
    '[x](https://example.com "\\" onmouseover=alert(1) x=\\"")',
    "[^1]\n\n[^1]: <b onclick=alert(1)>note</b>",
    `![x](s3://b/${ORG}/../../login)`,
  ])("defuses %s", (attack) => {
    const html = render(attack);
    // Tags that the page itself renders, with their attributes.
    for (const [tag] of html.matchAll(/<[^>]*>/g)) {
      expect(tag).not.toMatch(/^<(?:script|img|svg|iframe|style|form|input|object|embed)/);
      expect(tag.replaceAll(/"[^"]*"/g, "")).not.toMatch(/\son\w+=|\sid=|\sstyle=/);
      expect(tag).not.toMatch(/(?:href|src)="(?!https?:|mailto:)/);
    }
  });
});

test("only web, mail and file addresses are links", () => {
  expect(safeUrl("https://example.com/a?b=c")).toBe("https://example.com/a?b=c");
  expect(safeUrl("mailto:ada@example.com")).toBe("mailto:ada@example.com");
  expect(safeUrl(FILE)).toBe(fileUrl(FILE));
  expect(safeUrl("tel:123")).toBe("");
});

test.each([
  "# Title",
  "- one\n- two",
  "1. one",
  "a **b** c",
  "use `npm`",
  "[a](https://b.example)",
  "| a |\n|---|",
])("%j looks like Markdown", (text) => expect(looksLikeMarkdown(text)).toBe(true));

test.each(["Hello!", "2 * 3 * 4", "snake_case_name", "a - b", "#hashtag", "C:\\dir\\file", "1.5 million"])(
  "%j does not look like Markdown",
  (text) => expect(looksLikeMarkdown(text)).toBe(false),
);

test("hostile nesting is not parsed", () => {
  for (const text of [">".repeat(9_000), "- ".repeat(9_000), "x".repeat(200_000)]) {
    expect(isParsable(text)).toBe(false);
  }
});

test("texts that slow parsers down are rendered in time, or not at all", () => {
  for (const part of ["[", "**a ", "_a*", "`", "![", "<a ", "](", "| a ", "- a\n", "&a;", "a@b.c "]) {
    expect(isParsable(part.repeat(90_000 / part.length)) && "_*[`!<&".includes(part[0]!), part).toBe(false);
    const text = part.repeat(2_500 / part.replaceAll(/[^*_[\]<`!&]/g, "x").length);
    const begin = performance.now();
    looksLikeMarkdown(text);
    render(text);
    expect(performance.now() - begin, part).toBeLessThan(2_000);
  }
}, 30_000);

test("a stored file is named as it was uploaded", () => {
  expect(fileName(FILE)).toBe("an-offer.pdf");
  expect(fileName("20261122_121534_20261122_121534_a.png")).toBe("20261122_121534_a.png");
});
