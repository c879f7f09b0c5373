import { expect, test } from "vitest";
import { onPaper } from "./paper";

/** Where the edges of a box and of the lines around it are on paper. */
function placed(bounds: { x: number; y: number; width: number; height: number }, lane: number) {
  const style = onPaper(bounds) as Record<string, string>;
  const [x, y, zoom] = /translate\((.+)px, (.+)px\) scale\((.+)\)/
    .exec(style["--paper-transform"]!)!
    .slice(1)
    .map(Number) as [number, number, number];
  return {
    left: (bounds.x - lane) * zoom + x,
    right: Number.parseFloat(style["--paper-width"]!) - ((bounds.x + bounds.width + lane) * zoom + x),
    top: (bounds.y - lane) * zoom + y,
    bottom: Number.parseFloat(style["--paper-height"]!) - ((bounds.y + bounds.height + lane) * zoom + y),
  };
}

test("paper has the edges that run around the tasks, whatever the size of the graph", () => {
  // The outermost lane of the routes.
  const lane = 26;
  for (const bounds of [
    { x: 0, y: 0, width: 220, height: 100 },
    { x: -300, y: 40, width: 2_000, height: 300 },
    { x: 10, y: -900, width: 220, height: 4_000 },
  ]) {
    for (const space of Object.values(placed(bounds, lane))) {
      expect(space).toBeGreaterThanOrEqual(0);
    }
  }
});
