/** The height of the beginning of a task's details: its name, its status and its first facts. */
const BEGINNING = 200;
const GAP = 12;

interface Span {
  top: number;
  bottom: number;
}

/**
 * How far the page scrolls, so that as much as possible of the details is visible together with the graph above them.
 * If the window is too low for both, the beginning of the details is visible. The `view` is the part of the window
 * below the header.
 */
export function detailsScroll(graph: Span, details: Span, view: Span): number {
  const end = Math.min(details.bottom, details.top + BEGINNING) + GAP;
  const wanted = Math.max(0, details.bottom + GAP - view.bottom);
  const kept = Math.max(0, graph.top - GAP - view.top);
  return Math.max(0, end - view.bottom, Math.min(wanted, kept));
}

/** Brings the details of a task into view, which are below the graph. */
export function showDetails(graph: HTMLElement, details: HTMLElement) {
  const header = document.querySelector(".mantine-AppShell-header")?.getBoundingClientRect().bottom ?? 0;
  const top = detailsScroll(graph.getBoundingClientRect(), details.getBoundingClientRect(), {
    top: header,
    bottom: window.innerHeight,
  });
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollBy({ top, behavior: still ? "instant" : "smooth" });
}
