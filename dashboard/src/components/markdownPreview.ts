/** The words of a text without the marks of Markdown, in one line, for previews. */
export const withoutMarks = (text: string): string =>
  text
    .replaceAll(/^[ \t]*(?:```|~~~).*$/gm, "")
    .replaceAll(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gm, "")
    .replaceAll(/!?\[([^\]\n]{1,200})\]\([^)\s]*\)/g, "$1")
    .replaceAll(/\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t:-]*/g, " ")
    .replaceAll(/(\*\*|__)(?=\S)([^*_\n]*[^*_\s])\1/g, "$2")
    .replaceAll(/(^|[\s(])([*_])(?=\S)([^*_\n]*[^*_\s])\2(?=$|[\s.,:;!?)])/gm, "$1$3")
    .replaceAll(/`([^`\n]+)`/g, "$1")
    .replaceAll(/(?:[ \t]*\|)+[ \t]*/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
