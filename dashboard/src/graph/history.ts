/** The states that undo and redo go through. */
export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** The latest step while further edits with the same key still belong to it. */
  burst: { key: string; at: number } | null;
}

const MAX_STEPS = 100;
const BURST_PAUSE_MS = 2_000;

export const historyOf = <T>(present: T): History<T> => ({ past: [], present, future: [], burst: null });

/** Adds a state. Edits with the same key and no long pause between them are one step; null never joins. */
export function record<T>(history: History<T>, next: T, key: string | null, now: number): History<T> {
  if (Object.is(next, history.present)) {
    return history;
  }
  const { burst, past, present } = history;
  const joins = key !== null && burst?.key === key && now - burst.at < BURST_PAUSE_MS;
  return {
    past: joins ? past : [...past, present].slice(-MAX_STEPS),
    present: next,
    future: [],
    burst: key === null ? null : { key, at: now },
  };
}

export function undo<T>({ past, present, future, burst }: History<T>): History<T> {
  return past.length === 0
    ? { past, present, future, burst }
    : { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future], burst: null };
}

export function redo<T>({ past, present, future, burst }: History<T>): History<T> {
  return future.length === 0
    ? { past, present, future, burst }
    : { past: [...past, present], present: future[0]!, future: future.slice(1), burst: null };
}
