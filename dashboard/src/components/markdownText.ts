import { fileUrl } from "./fileUris";

/** Longer texts are shown as they are, because parsing them would block the page. */
const MAX_LENGTH = 100_000;
/** Deeper quotes and lists exhaust the stack of the parser. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){40}/m;
/** The parser takes quadratic time for the marks of one paragraph. */
const MAX_MARKS = 2_500;
/** The part of a text that is searched for signs of Markdown. */
const SEARCHED_LENGTH = 8_000;

const SIGNS = [
  /^ {0,3}#{1,6} \S/m, // headings
  /^ {0,3}(?:[-*+]|\d{1,9}[.)]) \S/m, // lists
  /^ {0,3}> ?\S/m, // quotes
  /^ {0,3}(?:```|~~~)/m, // blocks of code
  /\|[ :]*-{2,}[ :]*(?:\||$)/m, // tables
  /`[^`\n]+`/, // code
  /\*\*[^*\s][^*\n]*\*\*/, // strong emphasis
  /(?:^|\s)(?:\*[^*\s][^*\n]*\*|_[^_\s][^_\n]*_)(?:$|[\s.,:;!?)])/m, // emphasis
  /\[[^\]\n]{1,200}\]\([^)\s]+\)/, // links and images
  /^ {0,3}(?:-{3,}|\*{3,})[ \t]*$/m, // rules
];

/** Whether a text is likely to be written in Markdown. */
export const looksLikeMarkdown = (text: string) => {
  const start = text.slice(0, SEARCHED_LENGTH);
  return isParsable(text) && SIGNS.some((sign) => sign.test(start));
};

/** Whether a text is short and simple enough to be parsed in the browser. */
export const isParsable = (text: string) =>
  text.length <= MAX_LENGTH &&
  !TOO_DEEP.test(text) &&
  text.split(/\n[ \t]*\n/).every((block) => block.replaceAll(/[^*_~[\]<`!&]+/g, "").length <= MAX_MARKS);

/** The address of a link; empty for all but web pages, email addresses and stored files. */
export function safeUrl(url: string): string {
  const file = fileUrl(url);
  if (file !== null) {
    return file;
  }
  try {
    const { protocol, href } = new URL(url);
    return ["http:", "https:", "mailto:"].includes(protocol) ? href : "";
  } catch {
    return "";
  }
}
