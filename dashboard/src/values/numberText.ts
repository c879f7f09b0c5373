/** A number as the server reads it, or why the text is none. */
type ParsedNumber = { number: string } | { error: string };

/** The decimal separator of a locale. */
export function decimalSeparator(locale?: string): string {
  return (
    new Intl.NumberFormat(locale).formatToParts(1.5).find((part) => part.type === "decimal")?.value ?? "."
  );
}

/**
 * Reads a number that a person typed: with the separators of the person's locale, or as programs write it. A text that
 * may mean two numbers, such as "1,234", is refused.
 */
export function parseNumber(typed: string, whole: boolean, locale?: string): ParsedNumber {
  const text = typed.trim().replace(/[\s'’]/g, "");
  const decimal = decimalSeparator(locale);
  const example = whole ? "12" : `12${decimal}5`;
  const invalid = { error: `Enter a ${whole ? "whole " : ""}number, e.g. ${example}.` };
  if (/^[+-]?\d+$/.test(text) || (!whole && /^[+-]?\d+(\.\d+)?[eE][+-]?\d+$/.test(text))) {
    return { number: text.replace(/^\+/, "") };
  }
  const [, sign = "", digits = ""] = /^([+-]?)(\d[\d.,]*)$/.exec(text) ?? [];
  const separators = digits.replace(/\d/g, "");
  if (digits === "" || !/\d$/.test(digits)) {
    return invalid;
  }
  const minus = sign === "-" ? "-" : "";
  if (separators.length === 1) {
    const [before = "", after = ""] = digits.split(separators);
    const groups = separators !== decimal && after.length === 3 && /^[1-9]\d{0,2}$/.test(before);
    if (whole) {
      return groups ? { number: minus + before + after } : invalid;
    }
    return groups
      ? {
          error: `This could be ${before}${after} or ${before}${decimal}${after}. Leave out the thousands separator.`,
        }
      : { number: `${minus}${before}.${after}` };
  }
  // The last separator is the decimal one if it differs from those before, which group thousands.
  const last = separators.at(-1) as string;
  const group = separators.charAt(0);
  const [integer = "", fraction] = last === group ? [digits] : splitLast(digits, last);
  const grouped = new RegExp(`^\\d{1,3}(\\${group}\\d{3})+$`);
  if (!grouped.test(integer) || (whole && fraction !== undefined)) {
    return invalid;
  }
  const plain = integer.replaceAll(group, "");
  return { number: minus + (fraction === undefined ? plain : `${plain}.${fraction}`) };
}

function splitLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
