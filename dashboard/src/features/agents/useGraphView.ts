import { useReactFlow, useStore, type Viewport } from "@xyflow/react";
import { useReducedMotion } from "@mantine/hooks";
import { useCallback, useEffect, useEffectEvent, useRef } from "react";
import { noteNodeId, type Canvas, type Position, type TaskPositions } from "../../graph/canvas";
import { edgesOf, type WorkflowDocument } from "../../graph/document";
import { columnsFor, heightOf, layout, NODE_WIDTH, OVERVIEW_ZOOM } from "../../graph/layout";
import {
  around,
  fitsHeight,
  fitted,
  revealed,
  shown as showing,
  wholeZoom,
  withRoomFor,
} from "../../graph/viewport";

const PAN_MS = 200;
/** The heights of the buttons over the canvas. */
export const TOOLBAR = 52;
export const CONTROLS = 44;
/** A narrower canvas is that of a phone. */
const MIN_WIDTH = 520;
const MAX_OVERVIEW_COLUMNS = 4;

export const isNarrow = ({ width }: Size) => width < MIN_WIDTH;

const free = ({ width, height }: Size) => ({ width, height: height - CONTROLS, top: TOOLBAR });

interface Size {
  width: number;
  height: number;
}

const EMPTY = { x: 0, y: 0, width: NODE_WIDTH, height: 100 };

/** The boxes of all nodes by their IDs. */
function boxesOf(document: WorkflowDocument, { notes }: Canvas, shown: TaskPositions) {
  const boxes = new Map<string, Size & Position>();
  for (const task of document.tasks) {
    boxes.set(task.id, { ...(shown.get(task.id) ?? EMPTY), width: NODE_WIDTH, height: heightOf(task) });
  }
  for (const note of notes) {
    boxes.set(noteNodeId(note.id), note);
  }
  return boxes;
}

/** The box around all nodes. */
export const boundsOf = (document: WorkflowDocument, canvas: Canvas, shown: TaskPositions) =>
  around([...boxesOf(document, canvas, shown).values()]) ?? EMPTY;

/** The columns of the layout: as many as are readable, on a phone those at which the whole graph is largest. */
export function columnCount(document: WorkflowDocument, canvas: Canvas, size: Size): number {
  if (!isNarrow(size)) {
    return columnsFor(size.width);
  }
  const zooms = Array.from({ length: MAX_OVERVIEW_COLUMNS }, (_, index) => {
    const bounds = boundsOf(document, canvas, layout(document, index + 1));
    return Math.min(1, wholeZoom(bounds, free(size)));
  });
  return zooms.indexOf(Math.max(...zooms)) + 1;
}

/** Where the graph is fitted into the canvas. */
export function initialViewport(
  document: WorkflowDocument,
  canvas: Canvas,
  shown: TaskPositions,
  size: Size,
) {
  const bounds = boundsOf(document, canvas, shown);
  return fitted(bounds, { ...free(size), minZoom: isNarrow(size) ? OVERVIEW_ZOOM : undefined });
}

/** Moves the view only as far as necessary: to selected and to focused nodes. */
export function useGraphView(
  document: WorkflowDocument,
  canvas: Canvas,
  shown: TaskPositions,
  size: Size,
  selection: ReadonlySet<string>,
) {
  const { setViewport, getViewport } = useReactFlow();
  const still = useReducedMotion();
  const show = (ids: readonly string[]) => {
    const boxes = boxesOf(document, canvas, shown);
    const wanted = around(ids.flatMap((id) => boxes.get(id) ?? []));
    const all = around([...boxes.values()]);
    const now = getViewport();
    const next = wanted && all ? showing(now, wanted, all, free(size)) : now;
    if (next.x !== now.x || next.y !== now.y || next.zoom !== now.zoom) {
      void setViewport(next, { duration: still ? 0 : PAN_MS });
    }
  };
  /** Shows new tasks with those before and after them, as far as these have room. */
  const showAdded = (ids: readonly string[]) => {
    const boxes = boxesOf(document, canvas, shown);
    const boxAround = (some: readonly string[]) => around(some.flatMap((id) => boxes.get(id) ?? []));
    const neighbors = edgesOf(document).filter((ends) => ends.some((id) => ids.includes(id)));
    const [added, all] = [boxAround(ids), around([...boxes.values()])];
    const wanted = boxAround([...ids, ...neighbors.flat()]);
    if (added && wanted && all) {
      const now = withRoomFor(getViewport(), wanted, free(size));
      const next = revealed(showing(now, wanted, all, free(size)), added, free(size));
      void setViewport(next, { duration: still ? 0 : PAN_MS });
    }
  };
  // The tasks of the last selection, and those that were new in it. The neighbors of new tasks stay in view when the panel
  // opens beside the canvas.
  const known = useRef<{ tasks: ReadonlySet<string>; added: string }>({
    tasks: new Set(document.tasks.map(({ id }) => id)),
    added: "",
  });
  const reveal = useEffectEvent((ids: readonly string[]) => {
    const { tasks, added } = known.current;
    const key = ids.join();
    const isAdded = key === added || document.tasks.some(({ id }) => ids.includes(id) && !tasks.has(id));
    known.current = { tasks: new Set(document.tasks.map(({ id }) => id)), added: isAdded ? key : "" };
    if (isAdded) {
      showAdded(ids);
    } else {
      show(ids);
    }
  });
  // While the view is as it was fitted, it follows the size of the canvas. The issues below the canvas change its
  // height; the tasks stay where they are as long as they are visible.
  const lastFit = useRef({ x: Number.NaN, y: 0, zoom: 0 });
  const lastWidth = useRef(Number.NaN);
  const refit = useEffectEvent(() => {
    const now = getViewport();
    const sameWidth = lastWidth.current === size.width;
    lastWidth.current = size.width;
    const bounds = around([...boxesOf(document, canvas, shown).values()]);
    if (sameWidth && bounds && fitsHeight(now, bounds, free(size))) {
      return;
    }
    const next = initialViewport(document, canvas, shown, size);
    const { x, y, zoom } = lastFit.current;
    const isFirst = Number.isNaN(x);
    if (!isFirst && Math.abs(now.x - x) + Math.abs(now.y - y) + Math.abs(now.zoom - zoom) < 1) {
      void setViewport(next);
    }
    if (isFirst || getViewport().x === next.x) {
      lastFit.current = next;
    }
  });
  useEffect(() => refit(), [size.width, size.height]);
  const selected = [...selection].join("\n");
  useEffect(() => {
    if (selected !== "") {
      reveal(selected.split("\n"));
    }
  }, [selected, size.width, size.height]);
  // Undoing "Tidy up" also restores the view of the places before.
  const kept = useRef<{ positions: TaskPositions; viewport: Viewport } | null>(null);
  useEffect(() => {
    if (kept.current && kept.current.positions === canvas.positions) {
      void setViewport(kept.current.viewport);
      kept.current = null;
    }
  }, [canvas.positions, setViewport]);
  return {
    /** Remembers the view for the places that the tasks have now. */
    keep: () => {
      kept.current = { positions: canvas.positions, viewport: getViewport() };
    },
    revealNode: (id: string) => show([id]),
    /** Whether a part of the graph is out of view. */
    isPartial: useStore(({ transform: [x, y, zoom], width, height }) => {
      const all = around([...boxesOf(document, canvas, shown).values()]);
      return (
        all !== null &&
        (all.x * zoom + x < -1 ||
          all.y * zoom + y < -1 ||
          (all.x + all.width) * zoom + x > width + 1 ||
          (all.y + all.height) * zoom + y > height + 1)
      );
    }),
    fit: useCallback(
      (places: TaskPositions) => void setViewport(initialViewport(document, canvas, places, size)),
      [document, canvas, size, setViewport],
    ),
  };
}
