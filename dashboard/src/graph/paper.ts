import type { CSSProperties } from "react";
import { MARGIN } from "./layout";
import { fitted, wholeZoom } from "./viewport";

/** The text area of A4 and Letter in pixels, less some height for the title. */
const PAPER = { width: 670, height: 800 };
/** The columns of a graph whose tasks have no saved positions, so that its texts are readable on paper. */
export const PAPER_COLUMNS = 3;
/** Edges that run around the tasks have more room than on screen, where one can move the graph. */
const EDGES = 10;

type Bounds = Parameters<typeof fitted>[0];

/** The size and the position on paper as style variables, because a style sheet applies before scripts can. */
export function onPaper(bounds: Bounds): CSSProperties {
  const all = {
    x: bounds.x - EDGES,
    y: bounds.y - EDGES,
    width: bounds.width + 2 * EDGES,
    height: bounds.height + 2 * EDGES,
  };
  const scale = Math.min(1, wholeZoom(all, PAPER));
  const size = { width: PAPER.width, height: (all.height + 2 * MARGIN) * scale };
  const { x, y, zoom } = fitted(all, { ...size, minZoom: 0 });
  return {
    "--paper-width": `${size.width}px`,
    "--paper-height": `${size.height}px`,
    "--paper-transform": `translate(${x}px, ${y}px) scale(${zoom})`,
  } as CSSProperties;
}
