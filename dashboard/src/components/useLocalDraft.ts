import { useCallback, useEffect, useRef, useState } from "react";
import { useParams } from "react-router";
import { useMe } from "../api";
import {
  browserStorage,
  draftKey,
  readDraft,
  removeDraft,
  writeDraft,
  type StoredDraft,
} from "./localDrafts";

const DELAY_MS = 400;

/** The storage key for the signed-in user and the organization in the URL. */
function useStorageKey(key: string): string {
  const { data: me } = useMe();
  const { orgId = "-" } = useParams();
  return draftKey(me?.id ?? "-", orgId, key);
}

/** Stores the latest value after a pause, and at once when the page is left. */
function useDelayedWrite(storageKey: string) {
  const pending = useRef<(() => void) | null>(null);
  const timer = useRef(0);
  const flush = useCallback(() => {
    window.clearTimeout(timer.current);
    pending.current?.();
    pending.current = null;
  }, []);
  const cancel = useCallback(() => {
    window.clearTimeout(timer.current);
    pending.current = null;
  }, []);
  const write = useCallback(
    (value: unknown) => {
      window.clearTimeout(timer.current);
      pending.current = () => {
        writeDraft(browserStorage(), storageKey, value, Date.now());
      };
      timer.current = window.setTimeout(flush, DELAY_MS);
    },
    [storageKey, flush],
  );
  useEffect(() => {
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, [flush, storageKey]);
  return { write, cancel };
}

export interface LocalDraft<T> {
  /** Unsaved changes of an earlier visit, until they are restored or discarded. */
  found: StoredDraft<T> | null;
  /** Ends the offer after `found` has been applied. */
  accept: () => void;
  /** Ends the offer and deletes the stored draft. */
  discard: () => void;
  /** Ends the offer and deletes the stored draft, for example after the server has accepted the value. */
  clear: () => void;
}

const hasSameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Keeps unsaved changes in this browser per user and organization, and offers them when the user comes back; show the
 * offer with a `DraftNotice`. The draft is stored while `dirty`, and deleted when the value is saved or undone. Never
 * pass secrets such as passwords, keys or credentials.
 *
 * @param key names the edited thing, such as "ticket/0192…"; the component must remount when it names another thing
 * @param value anything that JSON can hold
 * @param isSame whether there is nothing to restore
 */
export function useLocalDraft<T>(
  key: string,
  value: T,
  dirty: boolean,
  isSame: (a: T, b: T) => boolean = hasSameJson,
): LocalDraft<T> {
  const storageKey = useStorageKey(key);
  const { write, cancel } = useDelayedWrite(storageKey);
  const [stored] = useState(
    () => readDraft(browserStorage(), storageKey, Date.now()) as StoredDraft<T> | null,
  );
  const [found, setFound] = useState(() => (stored && !isSame(stored.value, value) ? stored : null));
  // A stored draft that the server has meanwhile is deleted as well.
  const wasDirty = useRef(stored !== null && found === null);
  const clear = useCallback(() => {
    cancel();
    removeDraft(browserStorage(), storageKey);
  }, [cancel, storageKey]);
  useEffect(() => {
    if (dirty) {
      wasDirty.current = true;
      write(value);
    } else if (wasDirty.current) {
      wasDirty.current = false;
      clear();
    }
  }, [dirty, value, write, clear]);
  return {
    found,
    accept: () => setFound(null),
    discard: () => {
      setFound(null);
      if (!dirty) {
        clear();
      }
    },
    clear: () => {
      setFound(null);
      clear();
    },
  };
}

/**
 * A text that survives leaving the page and signing in again, such as a comment: returned to its field without asking.
 * Setting it to "" deletes the stored text.
 *
 * @param key names the field, such as "comment/0192…"
 */
export function useDraftText(key: string): [text: string, setText: (text: string) => void] {
  const storageKey = useStorageKey(key);
  const { write, cancel } = useDelayedWrite(storageKey);
  const [state, setState] = useState({ storageKey, text: storedText(storageKey) });
  let { text } = state;
  if (state.storageKey !== storageKey) {
    text = storedText(storageKey);
    setState({ storageKey, text });
  }
  const setText = useCallback(
    (next: string) => {
      setState({ storageKey, text: next });
      if (next === "") {
        cancel();
        removeDraft(browserStorage(), storageKey);
      } else {
        write(next);
      }
    },
    [storageKey, write, cancel],
  );
  return [text, setText];
}

function storedText(storageKey: string): string {
  const value = readDraft(browserStorage(), storageKey, Date.now())?.value;
  return typeof value === "string" ? value : "";
}
