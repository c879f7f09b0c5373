import { useWindowEvent } from "@mantine/hooks";
import { isTyping } from "./shortcuts";

/** Runs an action for a single key, unless a person types, a dialog is open, or a modifier is held. */
export function useShortcutKeys(actions: Record<string, () => void>) {
  useWindowEvent("keydown", (event) => {
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
}
