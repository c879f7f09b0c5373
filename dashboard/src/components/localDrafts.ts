/** A draft that this browser keeps. */
export interface StoredDraft<T = unknown> {
  value: T;
  /** When it was stored, in milliseconds. */
  at: number;
}

const PREFIX = "parley.draft:";
const MAX_AGE_MS = 14 * 24 * 3600 * 1000;
const MAX_DRAFTS = 100;
const MAX_LENGTH = 1_200_000;
const MAX_TOTAL_LENGTH = 3_000_000;

/** The storage key of a draft; drafts of one user are invisible to others in the same browser. */
export const draftKey = (userId: string, orgId: string, key: string) => `${PREFIX}${userId}:${orgId}:${key}`;

type Store = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

/** The browser's storage; one that keeps nothing if it is disabled. */
export function browserStorage(): Store {
  try {
    return localStorage;
  } catch {
    return { length: 0, key: () => null, getItem: () => null, setItem: () => {}, removeItem: () => {} };
  }
}

export function readDraft<T = unknown>(store: Store, key: string, now: number): StoredDraft<T> | null {
  try {
    const draft = JSON.parse(store.getItem(key) ?? "null") as StoredDraft<T> | null;
    return draft && typeof draft.at === "number" && now - draft.at < MAX_AGE_MS ? draft : null;
  } catch {
    return null;
  }
}

/** Stores a draft and removes old ones beyond the limits. False if it is too large or the browser refuses. */
export function writeDraft(store: Store, key: string, value: unknown, now: number): boolean {
  const text = JSON.stringify({ at: now, value });
  try {
    if (text.length > MAX_LENGTH) {
      store.removeItem(key);
      return false;
    }
    makeRoom(store, key, text.length, now);
    store.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

export function removeDraft(store: Store, key: string) {
  try {
    store.removeItem(key);
  } catch {
    // Storage may be disabled.
  }
}

/** Removes expired drafts, and the oldest ones until a text of this length fits. */
function makeRoom(store: Store, key: string, length: number, now: number) {
  const others = keysOf(store)
    .filter((each) => each.startsWith(PREFIX) && each !== key)
    .map((each) => ({
      key: each,
      length: store.getItem(each)?.length ?? 0,
      at: readDraft(store, each, now)?.at ?? 0,
    }))
    .toSorted((a, b) => b.at - a.at);
  let total = length;
  others.forEach((each, index) => {
    total += each.length;
    if (each.at === 0 || index >= MAX_DRAFTS - 1 || total > MAX_TOTAL_LENGTH) {
      store.removeItem(each.key);
    }
  });
}

function keysOf(store: Store): string[] {
  return Array.from({ length: store.length }, (_, index) => store.key(index) ?? "");
}
