import { useRef } from "react";
import { flushSync } from "react-dom";

/** Moves the focus to the first field of the entry that is added to the end of a list, with its text selected. */
export function useFocusAdded() {
  const list = useRef<HTMLDivElement>(null);
  const focusAdded = (add: () => void) => {
    flushSync(add);
    const entries = list.current?.querySelectorAll("[data-entry]");
    const field = entries?.[entries.length - 1]?.querySelector<HTMLInputElement>(
      "input:not([type=checkbox])",
    );
    field?.focus();
    field?.select();
  };
  return { list, focusAdded };
}
