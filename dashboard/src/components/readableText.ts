/** Texts that look like JSON, also if their end was cut off. */
const JSON_TEXT = /^\s*(\{\s*"|\[\s*[[{"\d])/;

/** A text for people: JSON, whole or cut, becomes "destination: Lisbon · days: 3". Other texts stay as they are. */
export function readableText(text: string): string {
  if (!JSON_TEXT.test(text)) {
    return text;
  }
  try {
    return flat(JSON.parse(text));
  } catch {
    return text
      .replaceAll(/\\(.)/g, (_, char: string) => (char === "n" ? " " : char))
      .replaceAll(/"\s*:\s*/g, ": ")
      .replaceAll(/(["\]}\w])\s*,\s*(?=["[{])/g, "$1 · ")
      .replaceAll(/[{}[\]"]/g, "")
      .trim();
  }
}

function flat(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map(flat).filter(Boolean).join(", ");
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => `${key}: ${flat(each)}`)
      .join(" · ");
  }
  return value === null ? "" : String(value);
}
