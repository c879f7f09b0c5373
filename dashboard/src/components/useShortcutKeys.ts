import { useEffect, useEffectEvent } from "react";
import { isTyping } from "./shortcuts";

/** Runs an action for a single key, unless a person types, a dialog is open, or a modifier is held. */
export function useShortcutKeys(actions: Record<string, () => void>) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (
      action &&
      !event.defaultPrevented &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      !isTyping(event.target) &&
      document.querySelector('[role="dialog"]') === null
    ) {
      event.preventDefault();
      action();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
