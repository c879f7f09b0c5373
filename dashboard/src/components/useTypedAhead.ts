import { useCallback, useLayoutEffect, useRef } from "react";

/** Returns the text that was typed after the dialog was opened and before its field got the focus, once. */
export function useTypedAhead(opened: boolean) {
  const typed = useRef("");
  useLayoutEffect(() => {
    if (!opened) {
      return undefined;
    }
    typed.current = "";
    const collect = (event: KeyboardEvent) => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isText && document.activeElement?.getAttribute("role") !== "combobox") {
        event.preventDefault();
        // The page has shortcuts of its own.
        event.stopImmediatePropagation();
        typed.current += event.key;
      }
    };
    window.addEventListener("keydown", collect, true);
    return () => window.removeEventListener("keydown", collect, true);
  }, [opened]);
  return useCallback(() => {
    const text = typed.current;
    typed.current = "";
    return text;
  }, []);
}
