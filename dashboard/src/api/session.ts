import { claimTab } from "./localData";
import type { components } from "./schema";

type Me = components["schemas"]["Me"];

/** These requests need no session, or end it; a 401 to them is their own result. */
const WITHOUT_SESSION = /^\/dashboard\/api\/(login|logout|setup|oidc|invitations|password-resets)(\/|$)/;

let user: Me | null = null;
let renewal: { promise: Promise<void>; resolve: () => void } | null = null;
const listeners = new Set<() => void>();

/** Sets the user of this page. Requests are sent for this user only, and the tab keeps no data of others. */
export function setSessionUser(me: Me | null) {
  user = me;
  if (me) {
    try {
      claimTab(sessionStorage, me.id);
    } catch {
      // Storage is disabled, and so holds nothing.
    }
  }
}

/** The currency of all costs, an ISO 4217 code. */
export const costCurrency = () => user?.cost_currency ?? "USD";

/** Calls the listener when the session ends and when the same user has signed in again. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isSessionEnded = () => renewal !== null;

function endSession() {
  if (renewal === null) {
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    renewal = { promise, resolve };
    listeners.forEach((listener) => listener());
  }
}

/** Repeats the requests that wait, after the same user has signed in again. */
export function renewSession() {
  const ended = renewal;
  renewal = null;
  ended?.resolve();
  listeners.forEach((listener) => listener());
}

/**
 * Sends a request for the user of this page. When the session has ended, or another user has signed in in this browser,
 * the request waits until the user has signed in again, and is then repeated. Requests made meanwhile wait, too.
 */
export async function fetchInSession(request: Request): Promise<Response> {
  if (user === null || WITHOUT_SESSION.test(new URL(request.url).pathname)) {
    return fetch(request);
  }
  for (;;) {
    if (renewal !== null) {
      // oxlint-disable-next-line no-await-in-loop -- the attempts follow each other
      await Promise.race([renewal.promise, aborted(request.signal)]);
    }
    const attempt = request.clone();
    attempt.headers.set("X-User-Id", user.id);
    // oxlint-disable-next-line no-await-in-loop
    const response = await fetch(attempt);
    if (response.status !== 401) {
      return response;
    }
    endSession();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    const abort = () => fail(signal.reason as Error);
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener("abort", abort, { once: true });
  });
}
