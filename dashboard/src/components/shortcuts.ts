import { useEffect, useSyncExternalStore } from "react";

/** Keyboard shortcuts of a page or a part of it. Alternatives are separated by " / ", the keys of one by "+" or " then ". */
export interface ShortcutGroup {
  title: string;
  shortcuts: readonly (readonly [keys: string, description: string])[];
}

let groups: readonly ShortcutGroup[] = [];
const listeners = new Set<() => void>();

function update(next: readonly ShortcutGroup[]) {
  groups = next;
  listeners.forEach((notify) => notify());
}

/** Lists the shortcuts in the overview while the component is mounted. Pass a constant, not a new object. */
export function useShortcutHelp(group: ShortcutGroup) {
  useEffect(() => {
    update([...groups, group]);
    return () => update(groups.filter((each) => each !== group));
  }, [group]);
}

/** The shortcuts of all mounted components. */
export function useShortcutGroups(): readonly ShortcutGroup[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => groups,
  );
}

const TEXT_FIELDS =
  "textarea, select, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=button], [type=submit])";

/** Whether an element takes typed text, so that single-key shortcuts must not apply. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(TEXT_FIELDS) !== null);
}
