import { useEffect, useState } from "react";
import { NavigationType, useBlocker, type Location } from "react-router";
import { isSessionEnded } from "../api";
import { ConfirmDialog } from "./ConfirmDialog";

/** Above the dialog that may have the changes, below the one that asks for the password. */
const Z_INDEX = 900;

/** How long leaving a page may wait for a save. */
const MAX_WAIT_MS = 4_000;

interface UnsavedChanges {
  /** Whether this browser keeps the changes, so that leaving does not lose them. */
  kept: boolean;
  /** Saves them; rejects if that fails. Absent if only the user can. */
  save?: () => Promise<void>;
  /** Parameters of the URL whose change leaves the edited thing, too. */
  searchParams: string[];
  /** Whether they are in a dialog: only Back leaves it without the dialog itself asking or being done. */
  inDialog: boolean;
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

/** Lets a dialog close, which has asked or is done. */
export function forgetDialogEntries() {
  [...unsaved].filter((each) => each.inDialog).forEach((each) => unsaved.delete(each));
}

/**
 * Asks before the user leaves the page or closes the tab while there are unsaved changes that cannot be saved.
 *
 * @param kept whether a local draft keeps them
 * @param save saves them; a constant function
 * @param searchParams parameters of the URL that choose what is edited; a constant array
 * @param inDialog whether they are in a dialog
 */
export function useUnsavedChanges(
  dirty: boolean,
  { kept = false, save, searchParams = NONE, inDialog = false }: Partial<UnsavedChanges> = {},
) {
  useEffect(() => {
    if (!dirty) {
      return undefined;
    }
    const changes = { kept, save, searchParams, inDialog };
    unsaved.add(changes);
    window.addEventListener("beforeunload", warn);
    return () => {
      unsaved.delete(changes);
      if (unsaved.size === 0) {
        window.removeEventListener("beforeunload", warn);
      }
    };
  }, [dirty, kept, save, searchParams, inDialog]);
}

/** Whether a navigation leaves what is edited. */
function leaves(from: Location, to: Location, isBack: boolean): boolean {
  const [before, after] = [new URLSearchParams(from.search), new URLSearchParams(to.search)];
  return [...unsaved].some(
    ({ inDialog, searchParams }) =>
      (!inDialog || isBack) &&
      (from.pathname !== to.pathname || searchParams.some((name) => before.get(name) !== after.get(name))),
  );
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
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) =>
    leaves(currentLocation, nextLocation, historyAction === NavigationType.Pop),
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
      zIndex={Z_INDEX}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {kept
        ? "Your unsaved changes stay in this browser for 14 days, and you can go on with them when you come back."
        : "You have unsaved changes. If you leave, they’ll be lost."}
    </ConfirmDialog>
  );
}
