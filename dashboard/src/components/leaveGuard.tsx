import { Text } from "@mantine/core";
import { useEffect } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "./ConfirmDialog";

interface UnsavedChanges {
  /** Whether this browser keeps the changes, so that leaving does not lose them. */
  kept: boolean;
  /** Parameters of the URL whose change leaves the edited thing, too. */
  searchParams: string[];
}

const NONE: string[] = [];

const unsaved = new Set<UnsavedChanges>();

export const hasUnsavedChanges = () => unsaved.size > 0;

function warn(event: BeforeUnloadEvent) {
  if (unsaved.size > 0) {
    event.preventDefault();
  }
}

/** Lets the user leave without being asked, for example after signing out. */
export function forgetUnsavedChanges() {
  unsaved.clear();
}

/**
 * Asks before the user leaves the page or closes the tab while there are unsaved changes.
 *
 * @param kept whether a local draft keeps them
 * @param searchParams parameters of the URL that choose what is edited; a constant array
 */
export function useUnsavedChanges(dirty: boolean, { kept = false, searchParams = NONE } = {}) {
  useEffect(() => {
    if (!dirty) {
      return undefined;
    }
    const changes = { kept, searchParams };
    unsaved.add(changes);
    window.addEventListener("beforeunload", warn);
    return () => {
      unsaved.delete(changes);
      if (unsaved.size === 0) {
        window.removeEventListener("beforeunload", warn);
      }
    };
  }, [dirty, kept, searchParams]);
}

function differs(search: string, next: string): boolean {
  const [before, after] = [new URLSearchParams(search), new URLSearchParams(next)];
  return [...unsaved].some((each) => each.searchParams.some((name) => before.get(name) !== after.get(name)));
}

/** The question of {@link useUnsavedChanges}; rendered once, around all pages. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved.size > 0 &&
      (currentLocation.pathname !== nextLocation.pathname ||
        differs(currentLocation.search, nextLocation.search)),
  );
  const kept = [...unsaved].every((each) => each.kept);
  return (
    <ConfirmDialog
      opened={blocker.state === "blocked"}
      title="Leave without saving?"
      action="Leave"
      dismissLabel="Keep editing"
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <Text size="sm">
        {kept
          ? "Your unsaved changes stay in this browser for 14 days and are offered when you come back."
          : "You have unsaved changes. If you leave, they’ll be lost."}
      </Text>
    </ConfirmDialog>
  );
}
