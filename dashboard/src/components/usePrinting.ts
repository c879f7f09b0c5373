import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

const listeners = new Set<() => void>();
let media: MediaQueryList | undefined;
/** From `beforeprint` to `afterprint`; a preview changes the media several times in between. */
let underWay = false;

const notify = () => flushSync(() => listeners.forEach((listener) => listener()));

// The browser counts the pages when the listeners of `beforeprint` have returned, before the media changes.
function onPrint(event: Event) {
  underWay = event.type === "beforeprint";
  notify();
}

function subscribe(listener: () => void) {
  if (!media) {
    media = window.matchMedia("print");
    media.addEventListener("change", notify);
    window.addEventListener("beforeprint", onPrint);
    window.addEventListener("afterprint", onPrint);
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the page is being printed, for content that only paper shows. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(subscribe, () => underWay || (media ?? window.matchMedia("print")).matches);
