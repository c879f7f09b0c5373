import { useSyncExternalStore } from "react";

const HIDE_DELAY_MS = 150;

/** The hovered edge. Only one edge shows its buttons, because those of neighbors would cover each other. */
let hovered: string | null = null;
let timer: number | undefined;
const listeners = new Set<() => void>();

function set(id: string | null) {
  window.clearTimeout(timer);
  hovered = id;
  for (const listener of listeners) {
    listener();
  }
}

/** The pointer enters an edge or its buttons. */
export const enterEdge = (id: string) => set(id);

/** The pointer leaves an edge. Its buttons stay for a moment, so that the pointer can reach them. */
export function leaveEdge(id: string) {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => hovered === id && set(null), HIDE_DELAY_MS);
}

/** Hides the buttons, because edges change and pass their IDs on. */
export const clearHoveredEdge = () => set(null);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Whether an edge shows its buttons: while it is hovered, or selected and no other edge is hovered. */
export const useShowsButtons = (id: string, selected: boolean): boolean =>
  useSyncExternalStore(subscribe, () => (hovered === null ? selected : hovered === id));
