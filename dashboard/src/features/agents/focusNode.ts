const MAX_FRAMES = 30;

/** Focuses the first of new nodes as soon as it is visible, unless another control has the focus by then. */
export function focusFirst(nodes: Iterable<string> | null) {
  const [first] = nodes ?? [];
  if (first !== undefined) {
    focusNode(first, MAX_FRAMES);
  }
}

function focusNode(id: string, frames: number) {
  requestAnimationFrame(() => {
    const active = document.activeElement;
    const node = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
    if (active !== null && active !== document.body && isControl(active)) {
      return;
    }
    node?.focus({ preventScroll: true });
    if (document.activeElement !== node && frames > 0) {
      focusNode(id, frames - 1);
    }
  });
}

const isControl = (element: Element) =>
  element.matches("input, textarea, [contenteditable=true], [role=dialog] *");

/** The focused element, if it is on the canvas, or else the canvas. */
export const focusedIn = (canvas: Element | null) =>
  canvas?.contains(document.activeElement) ? document.activeElement : canvas;
