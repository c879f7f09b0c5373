import { describe, expect, test } from "vitest";
import { roomFor } from "./insertion";

const box = (x: number, y: number, height = 90) => ({ x, y, width: 220, height });

const insertion = (boxes: Record<string, ReturnType<typeof box>>, from: string, to: string) => ({
  boxes: new Map(Object.entries(boxes)),
  from,
  to,
  branches: false,
  height: 90,
  perRow: 3,
});

describe("the room for a task on an edge", () => {
  test("is between its ends; what follows in the row moves to the right", () => {
    const boxes = { a: box(0, 0), b: box(272, 0), c: box(544, 10, 200), below: box(272, 300) };
    const { at, moved } = roomFor(insertion(boxes, "a", "b"))!;
    expect(at).toEqual({ x: 272, y: 0 });
    expect(Object.fromEntries(moved)).toEqual({ b: { x: 544, y: 0 }, c: { x: 816, y: 10 } });
  });

  test("moves nothing where people left room", () => {
    const { at, moved } = roomFor(insertion({ a: box(0, 0), b: box(600, 0) }, "a", "b"))!;
    expect(at).toEqual({ x: 300, y: 0 });
    expect(moved.size).toBe(0);
  });

  test("moves the boxes next to one that sticks out of the row", () => {
    const boxes = {
      a: box(0, 0),
      b: box(272, 0),
      tall: box(544, 0, 400),
      below: box(816, 300),
      left: box(0, 300),
    };
    const { moved } = roomFor(insertion(boxes, "a", "b"))!;
    expect([...moved.keys()].toSorted()).toEqual(["b", "below", "tall"]);
  });

  test("is beside the end of the edge if other edges begin at the same task", () => {
    const boxes = { a: box(0, 60), b: box(272, 0), c: box(272, 122) };
    const { at, moved } = roomFor({ ...insertion(boxes, "a", "c"), branches: true })!;
    expect(at).toEqual({ x: 272, y: 122 });
    expect(moved.get("c")).toEqual({ x: 544, y: 122 });
  });

  test("is at the end of a row that has room, otherwise at the beginning of the next one", () => {
    const boxes = { a: box(0, 0), b: box(272, 0), c: box(0, 154), d: box(272, 154) };
    expect(roomFor(insertion(boxes, "b", "c"))).toEqual({ at: { x: 544, y: 0 }, moved: new Map() });
    const { at, moved } = roomFor({ ...insertion(boxes, "b", "c"), perRow: 2 })!;
    expect(at).toEqual({ x: 0, y: 154 });
    expect(Object.fromEntries(moved)).toEqual({ c: { x: 272, y: 154 }, d: { x: 544, y: 154 } });
  });
});
