export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** An edge from a port at the right of one box to a port at the left of another. */
export interface RoutedEdge {
  id: string;
  from: Box;
  to: Box;
  /** The heights of the two ports. */
  fromY: number;
  toY: number;
}

/** The way of an edge around boxes: vertical at `outX`, horizontal at `y`, vertical at `inX`. */
export interface EdgeRoute {
  outX: number;
  y: number;
  inX: number;
}

interface Segment {
  vertical: boolean;
  /** The coordinate that all points share. */
  at: number;
  start: number;
  end: number;
}

/** Between parallel edges. */
const SPACING = 5;
/** From a box to the first vertical part of an edge beside it, which clears the connection points. */
const FIRST_LANE = 9;
const LANES = 4;
/** Between a box and an edge that passes it. */
const CLEARANCE = 8;
/** Above or below all boxes. */
const OUTER_LANE = 10;

/** Costs, in pixels of a longer edge. */
const BEND_COST = 12;
const CROSSING_COST = 40;
const LANE_COST = 3;
const OVERLAP_COST = 300;
const BLOCKED_COST = 10_000;

const CURVE_STEPS = 24;

/** After the first pass, the edges that chose first avoid crossing those that chose after them. */
const PASSES = 3;

/**
 * Finds routes for the edges whose curve would pass behind a box. Other edges have no route and stay curves. Shorter
 * edges choose first, so that longer ones run around them; parallel edges keep a distance.
 */
export function routeEdges(boxes: readonly Box[], edges: readonly RoutedEdge[]): Map<string, EdgeRoute> {
  const routes = new Map<string, EdgeRoute>();
  const used = new Map<string, Segment[]>();
  const routed = edges
    .filter((edge) => !isCurveFree(boxes, edge))
    .toSorted((one, other) => lengthOf(one) - lengthOf(other));
  for (let pass = 0; pass < PASSES; pass++) {
    for (const edge of routed) {
      const own = used.get(edge.id);
      used.delete(edge.id);
      const others = [...used.values()].flat();
      if (own?.every((part) => shared(others, part) === 0)) {
        used.set(edge.id, own);
      } else {
        const route = bestRoute(boxes, edge, others);
        routes.set(edge.id, route);
        used.set(edge.id, segmentsOf(edge, route));
      }
    }
  }
  return routes;
}

const rightOf = ({ x, width }: Box) => x + width;
const bottomOf = ({ y, height }: Box) => y + height;
const lengthOf = ({ from, to, fromY, toY }: RoutedEdge) =>
  Math.abs(to.x - rightOf(from)) + Math.abs(toY - fromY);

/** The radius of the connection points, where the curves begin and end. */
const PORT_RADIUS = 8;

/** Whether a curve like that of React Flow touches no box. */
function isCurveFree(boxes: readonly Box[], { from, to, fromY, toY }: RoutedEdge): boolean {
  const [startX, endX] = [rightOf(from) + PORT_RADIUS, to.x - PORT_RADIUS];
  if (endX < startX) {
    return false;
  }
  const near = boxes.filter(
    (box) =>
      box !== from &&
      box !== to &&
      box.x - CLEARANCE < endX &&
      rightOf(box) + CLEARANCE > startX &&
      box.y - CLEARANCE < Math.max(fromY, toY) &&
      bottomOf(box) + CLEARANCE > Math.min(fromY, toY),
  );
  for (let step = 1; near.length > 0 && step < CURVE_STEPS; step++) {
    const t = step / CURVE_STEPS;
    const bend = 3 * t * (1 - t);
    const x = startX * (1 - t) ** 3 + ((startX + endX) / 2) * bend + endX * t ** 3;
    const y = fromY + (toY - fromY) * (t ** 3 + bend * t);
    if (near.some((box) => contains(box, x, y))) {
      return false;
    }
  }
  return true;
}

const contains = (box: Box, x: number, y: number) =>
  x > box.x - CLEARANCE &&
  x < rightOf(box) + CLEARANCE &&
  y > box.y - CLEARANCE &&
  y < bottomOf(box) + CLEARANCE;

/** The straight parts of a route. */
export function segmentsOf({ from, to, fromY, toY }: RoutedEdge, { outX, y, inX }: EdgeRoute): Segment[] {
  return [
    segment(false, fromY, rightOf(from), outX),
    segment(true, outX, fromY, y),
    segment(false, y, outX, inX),
    segment(true, inX, y, toY),
    segment(false, toY, inX, to.x),
  ];
}

const segment = (vertical: boolean, at: number, one: number, other: number): Segment => ({
  vertical,
  at,
  start: Math.min(one, other),
  end: Math.max(one, other),
});

function bestRoute(boxes: readonly Box[], edge: RoutedEdge, used: readonly Segment[]): EdgeRoute {
  const { from, to, fromY, toY } = edge;
  const width = Math.max(0, Math.abs(to.x - rightOf(from)) - 2 * (FIRST_LANE + LANES * SPACING));
  /** The best vertical part beside a box, from the height of its port to that of the horizontal part. */
  const bestX = (side: number, direction: 1 | -1, portY: number, y: number) => {
    let best = { x: side, cost: Number.POSITIVE_INFINITY };
    for (let lane = 0; lane < LANES && Math.abs(y - portY) + lane * LANE_COST < best.cost; lane++) {
      const x = side + direction * (FIRST_LANE + lane * SPACING);
      const part = segment(true, x, portY, y);
      const cost =
        part.end -
        part.start +
        lane * LANE_COST +
        blocked(boxes, part) +
        shared(used, part) +
        shared(used, segment(false, portY, side, x));
      best = cost < best.cost ? { x, cost } : best;
    }
    return best;
  };
  let best: { route: EdgeRoute; cost: number } | null = null;
  for (const { y, atLeast } of horizontalLanes(boxes, edge)) {
    if (best && atLeast + width >= best.cost) {
      break;
    }
    const out = bestX(rightOf(from), 1, fromY, y);
    if (best && atLeast + width + out.cost - Math.abs(y - fromY) >= best.cost) {
      continue;
    }
    const into = bestX(to.x, -1, toY, y);
    const part = segment(false, y, out.x, into.x);
    // The vertical parts have their own costs; the shortest ones are part of `atLeast`.
    const cost =
      atLeast +
      out.cost -
      Math.abs(y - fromY) +
      into.cost -
      Math.abs(y - toY) +
      (part.end - part.start) +
      blocked(boxes, part) +
      shared(used, part);
    if (!best || cost < best.cost) {
      best = { route: { outX: out.x, y, inX: into.x }, cost };
    }
  }
  return best!.route;
}

/**
 * The heights at which the horizontal part may run: those of the ports, and lanes in the gaps between the boxes. Those
 * come first that cost least without other edges.
 */
function horizontalLanes(boxes: readonly Box[], { from, to, fromY, toY }: RoutedEdge) {
  const left = Math.min(rightOf(from), to.x) - FIRST_LANE;
  const right = Math.max(rightOf(from), to.x) + FIRST_LANE;
  const found: { y: number; atLeast: number }[] = [];
  const add = (y: number, lane: number) => {
    const bends = (y === fromY ? 0 : 2) + (y === toY ? 0 : 2);
    const atLeast = Math.abs(y - fromY) + Math.abs(y - toY) + lane * LANE_COST + bends * BEND_COST;
    found.push({ y, atLeast });
  };
  add(fromY, 0);
  add(toY, 0);
  let bottom: number | null = null;
  for (const box of boxes
    .filter((each) => each.x < right && rightOf(each) > left)
    .toSorted((one, other) => one.y - other.y)) {
    if (bottom === null) {
      for (let lane = 0; lane < LANES; lane++) {
        add(box.y - OUTER_LANE - lane * SPACING, lane);
      }
    } else {
      const room = Math.min(LANES, Math.floor(((box.y - bottom) / 2 - CLEARANCE) / SPACING));
      for (let lane = -room; lane <= room; lane++) {
        add((bottom + box.y) / 2 + lane * SPACING, Math.abs(lane));
      }
    }
    bottom = Math.max(bottom ?? bottomOf(box), bottomOf(box));
  }
  const below = (bottom ?? Math.max(fromY, toY)) + OUTER_LANE;
  for (let lane = 0; lane < LANES; lane++) {
    add(below + lane * SPACING, lane);
  }
  return found.toSorted((one, other) => one.atLeast - other.atLeast);
}

/** The cost of passing behind boxes. */
function blocked(boxes: readonly Box[], { vertical, at, start, end }: Segment): number {
  const [left, right] = vertical ? [at, at] : [start, end];
  const [top, bottom] = vertical ? [start, end] : [at, at];
  let hits = 0;
  for (const box of boxes) {
    if (
      right > box.x - CLEARANCE &&
      left < box.x + box.width + CLEARANCE &&
      bottom > box.y - CLEARANCE &&
      top < box.y + box.height + CLEARANCE
    ) {
      hits++;
    }
  }
  return hits * BLOCKED_COST;
}

/** The cost of running along other edges and of crossing them. */
function shared(used: readonly Segment[], { vertical, at, start, end }: Segment): number {
  let cost = 0;
  for (const other of used) {
    if (other.vertical === vertical) {
      if (Math.abs(other.at - at) < SPACING - 1 && other.start < end && start < other.end) {
        cost += OVERLAP_COST;
      }
    } else if (other.start < at && at < other.end && start < other.at && other.at < end) {
      cost += CROSSING_COST;
    }
  }
  return cost;
}

const CORNER_RADIUS = 6;

/** The ports are measured; a smaller difference to the calculated ones makes no step in the line. */
const SNAP = 4;

interface Ends {
  sourceX: number;
  sourceY: number;
  targetX: number;
  targetY: number;
}

/** The SVG path of a route, and the middle of its horizontal part. */
export function routePath(
  { sourceX, sourceY, targetX, targetY }: Ends,
  { outX, y: lane, inX }: EdgeRoute,
): [path: string, x: number, y: number] {
  const y = [sourceY, targetY].find((port) => Math.abs(port - lane) < SNAP) ?? lane;
  const points = [
    [sourceX, sourceY],
    [outX, sourceY],
    [outX, y],
    [inX, y],
    [inX, targetY],
    [targetX, targetY],
  ] as const;
  const parts = [`M${sourceX},${sourceY}`];
  for (let index = 1; index < points.length - 1; index++) {
    const [before, corner, after] = [points[index - 1]!, points[index]!, points[index + 1]!];
    const radius = Math.min(CORNER_RADIUS, distance(before, corner) / 2, distance(corner, after) / 2);
    parts.push(`L${toward(corner, before, radius)}`, `Q${corner.join()} ${toward(corner, after, radius)}`);
  }
  return [[...parts, `L${targetX},${targetY}`].join(" "), (outX + inX) / 2, y];
}

type Point = readonly [x: number, y: number];

const distance = ([x, y]: Point, [toX, toY]: Point) => Math.abs(toX - x) + Math.abs(toY - y);

const toward = ([x, y]: Point, [toX, toY]: Point, by: number) =>
  `${x + Math.sign(toX - x) * by},${y + Math.sign(toY - y) * by}`;
