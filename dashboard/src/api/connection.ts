import { onlineManager, type QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

/** Whether Parley responds, and the time of its last response. */
export interface Connection {
  state: "ok" | "offline" | "unreachable";
  lastContact: number;
}

const PROBE_INTERVAL = 5_000;

/** Responses of a proxy whose service is down. */
const DOWN = new Set([502, 503, 504]);

let connection: Connection = { state: "ok", lastContact: Date.now() };
let probe: ReturnType<typeof setInterval> | undefined;
let onRecovery = () => {};
const listeners = new Set<() => void>();

export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentConnection = (): Connection => connection;

export const useConnection = (): Connection => useSyncExternalStore(subscribeConnection, currentConnection);

/** Called with the status of each response, or undefined if there was none. */
export function recordContact(status: number | undefined) {
  if (status === undefined) {
    lose();
  } else if (DOWN.has(status)) {
    // Perhaps only what was requested is unavailable.
    void check();
  } else {
    regain();
  }
}

function regain() {
  const recovered = connection.state !== "ok";
  connection = { state: "ok", lastContact: Date.now() };
  if (recovered) {
    clearInterval(probe);
    notify();
    onRecovery();
  }
}

/** Refreshes all queries when Parley can be reached again. */
export function watchConnection(client: QueryClient) {
  onRecovery = () => void client.invalidateQueries();
  onlineManager.subscribe((online) => (online ? void check() : lose()));
}

function lose() {
  const state = onlineManager.isOnline() ? "unreachable" : "offline";
  if (connection.state === state) {
    return;
  }
  connection = { ...connection, state };
  clearInterval(probe);
  probe = setInterval(() => void check(), PROBE_INTERVAL);
  notify();
}

/** Asks for a response, and returns whether Parley can be reached. */
export async function check(): Promise<boolean> {
  const status = await fetch("/dashboard/api/setup", { cache: "no-store" }).then(
    (response) => response.status,
    () => undefined,
  );
  if (status === undefined || DOWN.has(status)) {
    lose();
  } else {
    regain();
  }
  return connection.state === "ok";
}

function notify() {
  listeners.forEach((listener) => listener());
}
