import type { RawValue } from "../../values/valueFields";

/** A call that was made on the page of a tool. */
export interface PastCall {
  at: string;
  succeeded: boolean;
  durationMs: number;
  /** The fields of the form as they were. */
  typed: Record<string, RawValue>;
  asJson: Record<string, boolean>;
}

const MAX_CALLS = 10;
const MAX_LENGTH = 200_000;

type Store = Pick<Storage, "getItem" | "setItem">;

const keyOf = (orgId: string, toolId: number) => `parley.tool-calls:${orgId}:${toolId}`;

/** The calls of this browser tab, newest first. Arguments may be confidential, so they end with the session. */
export function readCalls(store: Store, orgId: string, toolId: number): PastCall[] {
  try {
    const calls = JSON.parse(store.getItem(keyOf(orgId, toolId)) ?? "[]") as unknown;
    return Array.isArray(calls) ? (calls as PastCall[]) : [];
  } catch {
    return [];
  }
}

/** Adds a call and returns all that are kept. */
export function addCall(store: Store, orgId: string, toolId: number, call: PastCall): PastCall[] {
  const calls = [call, ...readCalls(store, orgId, toolId)].slice(0, MAX_CALLS);
  while (calls.length > 1 && JSON.stringify(calls).length > MAX_LENGTH) {
    calls.pop();
  }
  try {
    store.setItem(keyOf(orgId, toolId), JSON.stringify(calls));
  } catch {
    // The storage is full or disabled; the calls are kept until the page closes.
  }
  return calls;
}

/** The inputs in one line. */
export const summaryOf = ({ typed }: PastCall) =>
  Object.entries(typed)
    .filter(([, value]) => value !== null && value !== "" && value !== "[]")
    .map(([name, value]) => `${name}: ${String(value).replaceAll(/\s+/g, " ")}`)
    .join(" · ") || "No inputs";
