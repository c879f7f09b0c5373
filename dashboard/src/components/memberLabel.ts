import { capitalized } from "./capitalized";

const ABBREVIATIONS = /\b(api|csv|html|iban|id|json|pdf|url|vat)\b/g;

/** Formats "unit_price" as "Unit price". */
export function memberLabel(name: string): string {
  const words = name
    .replaceAll("_", " ")
    .trim()
    .replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());
  return words === "" ? name : capitalized(words);
}
