import { useDraftText } from "../components/useLocalDraft";
import type { RawValue, ValueField } from "./valueFields";
import { hasValues, readDraftValues } from "./draftValues";

export interface FormDraft {
  values: Record<string, RawValue>;
  /** Whether a field has a value. */
  filled: boolean;
  set: (name: string, value: RawValue) => void;
  clear: () => void;
}

/**
 * The entries of a form, which stay in this browser until they are sent or discarded.
 *
 * @param key names what the form is for, such as "ticket/0192…"
 */
export function useFormDraft(key: string, form: ValueField[]): FormDraft {
  const [text, setText] = useDraftText(key);
  const values = readDraftValues(text, form);
  return {
    values,
    filled: hasValues(values),
    set: (name, value) => {
      const next = { ...values, [name]: value };
      setText(hasValues(next) ? JSON.stringify(next) : "");
    },
    clear: () => setText(""),
  };
}
