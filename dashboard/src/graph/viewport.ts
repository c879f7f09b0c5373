import { MARGIN, READABLE_ZOOM } from "./layout";

interface Size {
  width: number;
  height: number;
}
/** The canvas in pixels; `top` is covered by the buttons. The whole graph is shown from `minZoom` on. */
interface Area extends Size {
  top?: number;
  minZoom?: number;
}
interface Box extends Size {
  x: number;
  y: number;
}
interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

/** The zoom at which the whole graph fills the canvas. */
export const wholeZoom = (bounds: Box, { width, height, top = 0 }: Area): number =>
  Math.min(width / (bounds.width + 2 * MARGIN), (height - top) / (bounds.height + 2 * MARGIN));

/** Shows the whole graph if it is readable then, otherwise its beginning at the smallest readable zoom. */
export function fitted(bounds: Box, area: Area): Viewport {
  const { width, height, top = 0, minZoom = READABLE_ZOOM } = area;
  const whole = wholeZoom(bounds, area);
  const zoom = whole < minZoom ? READABLE_ZOOM : Math.min(1, whole);
  const offset = (start: number, length: number, available: number) =>
    (length + 2 * MARGIN) * zoom > available + 1
      ? (MARGIN - start) * zoom
      : available / 2 - (start + length / 2) * zoom;
  return {
    x: offset(bounds.x, bounds.width, width),
    y: top + offset(bounds.y, bounds.height, height - top),
    zoom,
  };
}

/** The height at which a canvas of this width shows the graph from its top to its bottom. */
export const neededHeight = (bounds: Box, width: number): number =>
  (bounds.height + 2 * MARGIN) * Math.min(1, Math.max(READABLE_ZOOM, width / (bounds.width + 2 * MARGIN)));

/** Whether the graph is visible from its top to its bottom. */
export const fitsHeight = ({ y, zoom }: Viewport, bounds: Box, { height, top = 0 }: Area): boolean =>
  bounds.y * zoom + y >= top - 1 && (bounds.y + bounds.height) * zoom + y <= height + 1;

/** Moves the viewport as little as possible to show a task completely. */
export function revealed(viewport: Viewport, box: Box, { width, height, top = 0 }: Area): Viewport {
  const margin = MARGIN * viewport.zoom - 1;
  const shift = (start: number, length: number, offset: number, from: number, to: number) => {
    const near = start * viewport.zoom + offset;
    const far = near + length * viewport.zoom;
    if (near < from || far - near > to - from) {
      return from - near;
    }
    return far > to ? to - far : 0;
  };
  return {
    x: viewport.x + shift(box.x, box.width, viewport.x, margin, width - margin),
    y: viewport.y + shift(box.y, box.height, viewport.y, top + margin, height - margin),
    zoom: viewport.zoom,
  };
}

/** Shows a task that is out of view: with the whole graph if that is readable, otherwise with the smallest move. */
export function shown(viewport: Viewport, box: Box, all: Box, area: Area): Viewport {
  const moved = revealed(viewport, box, area);
  if (moved.x === viewport.x && moved.y === viewport.y) {
    return viewport;
  }
  const whole = fitted(all, area);
  const next = revealed(whole, box, area);
  return next.x === whole.x && next.y === whole.y && whole.zoom <= viewport.zoom ? whole : moved;
}

/** Zooms out to a readable zoom at which a box has room; the centre stays where it is. */
export function withRoomFor(viewport: Viewport, box: Box, area: Area): Viewport {
  const zoom = Math.max(READABLE_ZOOM, wholeZoom(box, area));
  if (zoom >= viewport.zoom) {
    return viewport;
  }
  const scaled = (offset: number, length: number) =>
    length / 2 - ((length / 2 - offset) * zoom) / viewport.zoom;
  return { x: scaled(viewport.x, area.width), y: scaled(viewport.y, area.height), zoom };
}

/** Whether a part of a box covers another one. */
export const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** The smallest box around all boxes. */
export function around(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) {
    return null;
  }
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}
