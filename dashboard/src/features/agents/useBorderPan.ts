import { useStoreApi } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";

/** How near the pointer must be to the border of the canvas. */
const BORDER_PX = 6;
const PX_PER_SECOND = 240;

/** The direction of a position at a border: 1 at the lower one, -1 at the upper one. */
const direction = (value: number, from: number, to: number) =>
  value < from + BORDER_PX ? 1 : value > to - BORDER_PX ? -1 : 0;

/**
 * Moves the canvas slowly while a connection is held at its border. React Flow does so from 40 px away, where tasks
 * still are, and has no setting for that.
 */
export function useBorderPan() {
  const store = useStoreApi();
  const stop = useRef<(() => void) | null>(null);
  const end = useCallback(() => {
    stop.current?.();
    stop.current = null;
  }, []);
  useEffect(() => end, [end]);
  const begin = useCallback(() => {
    end();
    let pointer: { x: number; y: number } | null = null;
    let last = performance.now();
    const follow = ({ clientX, clientY }: PointerEvent) => {
      pointer = { x: clientX, y: clientY };
    };
    const step = (now: number) => {
      const { domNode, panBy } = store.getState();
      const by = ((now - last) / 1000) * PX_PER_SECOND;
      last = now;
      if (pointer && domNode) {
        const { left, right, top, bottom } = domNode.getBoundingClientRect();
        const [x, y] = [direction(pointer.x, left, right), direction(pointer.y, top, bottom)];
        if (x !== 0 || y !== 0) {
          void panBy({ x: x * by, y: y * by });
        }
      }
      frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    window.addEventListener("pointermove", follow);
    stop.current = () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("pointermove", follow);
    };
  }, [store, end]);
  return { begin, end };
}
