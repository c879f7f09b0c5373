/** What a person has typed for a value, before it is read by its type. */
export type Typed = string | boolean | null;

export interface TypedField {
  name: string;
  type: string;
  description: string;
  required: boolean;
  /** The values that there are, where they are few; one of them is chosen. */
  choices?: string[];
}

/**
 * Reads what was typed. Numbers go to the service as text, which it reads without losing digits; an empty field is
 * left out, so that the service says whether it was required.
 */
export function readTyped(fields: TypedField[], typed: Record<string, Typed>) {
  const values: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const { name, type } of fields) {
    const raw = typed[name] ?? null;
    if (raw === null || raw === "") {
      continue;
    }
    if (typeof raw === "boolean") {
      values[name] = raw;
    } else if (type === "ARRAY" || type === "OBJECT") {
      try {
        values[name] = JSON.parse(raw);
      } catch {
        faults[name] =
          type === "ARRAY" ? 'Not JSON. A list looks like ["a", "b"].' : 'Not JSON. It looks like {"a": 1}.';
      }
    } else if (type === "DATETIME") {
      values[name] = new Date(raw).toISOString();
    } else {
      values[name] = raw;
    }
  }
  return { values, faults };
}
