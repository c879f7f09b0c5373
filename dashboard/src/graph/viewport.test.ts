import { expect, test } from "vitest";
import { around, fitsHeight, fitted, neededHeight, revealed, shown, withRoomFor } from "./viewport";

const SIZE = { width: 700, height: 600 };

test("a graph that fits is centered, at most in its own size", () => {
  expect(fitted({ x: 0, y: 0, width: 220, height: 100 }, SIZE)).toEqual({ x: 240, y: 250, zoom: 1 });
  const { zoom } = fitted({ x: 0, y: 0, width: 740, height: 100 }, SIZE);
  expect(zoom).toBeCloseTo(700 / 780);
});

test("a graph that would be unreadable is shown from its beginning", () => {
  const { x, y, zoom } = fitted({ x: 100, y: -50, width: 5_000, height: 100 }, SIZE);
  expect(zoom).toBe(0.85);
  expect(x + 100 * zoom).toBeCloseTo(17);
  expect(y).toBeCloseTo(300);
});

test("a canvas is no higher than its graph needs at the zoom that its width allows", () => {
  const bounds = { x: 0, y: 0, width: 740, height: 160 };
  expect(neededHeight(bounds, 1_000)).toBe(200);
  expect(neededHeight(bounds, 702)).toBeCloseTo(180);
  expect(neededHeight(bounds, 100)).toBe(170);
});

test("a phone shows a graph whole that would be unreadable, unless it is too small then", () => {
  const phone = { width: 390, height: 464, top: 52, minZoom: 0.3 };
  const bounds = { x: 0, y: 0, width: 492, height: 500 };
  expect(fitted(bounds, phone).zoom).toBeCloseTo(390 / 532);
  expect(fitted({ ...bounds, width: 5_000 }, phone).zoom).toBe(0.85);
});

test("a graph fits the height until a part of it is out of view", () => {
  const bounds = { x: 0, y: 0, width: 220, height: 100 };
  expect(fitsHeight({ x: 0, y: 250, zoom: 1 }, bounds, { width: 700, height: 350 })).toBe(true);
  expect(fitsHeight({ x: 0, y: 250, zoom: 1 }, bounds, { width: 700, height: 340 })).toBe(false);
  expect(fitsHeight({ x: 0, y: 40, zoom: 1 }, bounds, { width: 700, height: 350, top: 52 })).toBe(false);
});

test("a task is revealed with the smallest move", () => {
  const view = { x: 0, y: 0, zoom: 1 };
  const box = { x: 100, y: 100, width: 220, height: 100 };
  expect(revealed(view, box, SIZE)).toEqual(view);
  expect(revealed(view, { ...box, x: 600 }, SIZE)).toEqual({ x: -139, y: 0, zoom: 1 });
  expect(revealed(view, { ...box, y: -100 }, SIZE)).toEqual({ x: 0, y: 119, zoom: 1 });
});

test("the bounds surround all boxes", () => {
  expect(around([])).toBeNull();
  const boxes = [
    { x: 0, y: 0, width: 10, height: 10 },
    { x: 20, y: -5, width: 10, height: 5 },
  ];
  expect(around(boxes)).toEqual({ x: 0, y: -5, width: 30, height: 15 });
});

test("a task out of view is shown with the whole graph if that stays readable", () => {
  const view = { x: 0, y: 0, zoom: 1 };
  const box = { x: 544, y: 0, width: 220, height: 100 };
  const all = { x: 0, y: 0, width: 764, height: 100 };
  expect(shown(view, { ...box, x: 100, y: 100 }, all, SIZE)).toEqual(view);
  expect(shown(view, box, all, SIZE)).toEqual(fitted(all, SIZE));
  expect(shown(view, { ...box, x: 3_000 }, { ...all, width: 3_220 }, SIZE)).toMatchObject({ zoom: 1 });
});

test("nothing is placed below the buttons at the top", () => {
  const area = { ...SIZE, top: 60 };
  expect(fitted({ x: 0, y: 0, width: 220, height: 2_000 }, area).y).toBeCloseTo(60 + 17);
  expect(revealed({ x: 0, y: 0, zoom: 1 }, { x: 100, y: 0, width: 220, height: 100 }, area).y).toBe(79);
});

test("a box gets room by a smaller zoom, which stays readable and keeps the centre", () => {
  const area = { width: 1000, height: 500 };
  const now = { x: 0, y: 0, zoom: 1 };
  expect(withRoomFor(now, { x: 0, y: 0, width: 500, height: 100 }, area)).toEqual(now);
  const zoomed = withRoomFor(now, { x: 0, y: 0, width: 5000, height: 100 }, area);
  expect(zoomed.zoom).toBe(0.85);
  expect((500 - zoomed.x) / zoomed.zoom).toBeCloseTo(500);
  expect(withRoomFor({ ...now, zoom: 0.5 }, { x: 0, y: 0, width: 5000, height: 100 }, area).zoom).toBe(0.5);
});
