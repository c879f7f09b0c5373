import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import { isSessionEnded } from "../api/session";
import { ConfirmDialog } from "./ConfirmDialog";

/** How long leaving a page may wait for a save. */
const MAX_WAIT_MS = 4_000;

interface UnsavedChanges {
  /** Whether this browser keeps the changes, so that leaving does not lose them. */
  kept: boolean;
  /** Saves them; rejects if that fails. Absent if only the user can. */
  save?: () => Promise<void>;
  /** Parameters of the URL whose change leaves the edited thing, too. */
  searchParams: string[];
}

const NONE: string[] = [];

const unsaved = new Set<UnsavedChanges>();

export const hasUnsavedChanges = () => unsaved.size > 0;

/** Saves all unsaved changes that can be, and returns whether that leaves none. */
export async function saveUnsavedChanges(): Promise<boolean> {
  const all = [...unsaved];
  const results = await Promise.allSettled(all.map((each) => each.save?.()));
  return all.every((each, index) => each.save && results[index]!.status === "fulfilled");
}

function warn(event: BeforeUnloadEvent) {
  if (unsaved.size > 0) {
    // While the browser asks, there is time for it.
    void saveUnsavedChanges();
    event.preventDefault();
  }
}

/** Lets the user leave without being asked, for example after signing out. */
export function forgetUnsavedChanges() {
  unsaved.clear();
}

/**
 * Asks before the user leaves the page or closes the tab while there are unsaved changes that cannot be saved.
 *
 * @param kept whether a local draft keeps them
 * @param save saves them; a constant function
 * @param searchParams parameters of the URL that choose what is edited; a constant array
 */
export function useUnsavedChanges(
  dirty: boolean,
  { kept = false, save, searchParams = NONE }: Partial<UnsavedChanges> = {},
) {
  useEffect(() => {
    if (!dirty) {
      return undefined;
    }
    const changes = { kept, save, searchParams };
    unsaved.add(changes);
    window.addEventListener("beforeunload", warn);
    return () => {
      unsaved.delete(changes);
      if (unsaved.size === 0) {
        window.removeEventListener("beforeunload", warn);
      }
    };
  }, [dirty, kept, save, searchParams]);
}

function differs(search: string, next: string): boolean {
  const [before, after] = [new URLSearchParams(search), new URLSearchParams(next)];
  return [...unsaved].some((each) => each.searchParams.some((name) => before.get(name) !== after.get(name)));
}

/** Whether the changes are saved before the user should be asked. Signing in again takes as long as it takes. */
async function saveInTime(): Promise<boolean> {
  const saved = saveUnsavedChanges();
  const timeUp = async (): Promise<boolean> => {
    await new Promise((wake) => setTimeout(wake, MAX_WAIT_MS));
    return isSessionEnded() ? saved : false;
  };
  return Promise.race([saved, timeUp()]);
}

/** The question of {@link useUnsavedChanges}; rendered once, around all pages. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved.size > 0 &&
      (currentLocation.pathname !== nextLocation.pathname ||
        differs(currentLocation.search, nextLocation.search)),
  );
  const [asked, setAsked] = useState<typeof blocker | null>(null);
  useEffect(() => {
    if (blocker.state !== "blocked") {
      return undefined;
    }
    let isCurrent = true;
    void saveInTime().then((saved) => {
      if (isCurrent && saved) {
        blocker.proceed();
      } else if (isCurrent) {
        setAsked(blocker);
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [blocker]);
  const kept = [...unsaved].every((each) => each.kept);
  return (
    <ConfirmDialog
      opened={asked === blocker && blocker.state === "blocked"}
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
