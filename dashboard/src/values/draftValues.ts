import { parsedJson } from "../components/json";
import type { RawValue, ValueField } from "./valueFields";

/** The entries of a form from their stored text; ignores what does not fit the form. */
export function readDraftValues(text: string, form: ValueField[]): Record<string, RawValue> {
  const stored = parsedJson(text || "{}");
  if (typeof stored !== "object" || stored === null) {
    return {};
  }
  const entries = new Map(Object.entries(stored));
  return Object.fromEntries(
    form.flatMap(({ name }) => {
      const value: unknown = entries.get(name);
      return typeof value === "string" || typeof value === "boolean" ? [[name, value]] : [];
    }),
  );
}

export const hasValues = (values: Record<string, RawValue>) =>
  Object.values(values).some((value) => value !== null && value !== "");

/** The entries as text for the clipboard. */
export const copyText = (values: Record<string, RawValue>) =>
  Object.entries(values)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n");
