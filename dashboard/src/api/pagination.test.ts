import { expect, test } from "vitest";
import { fetchAllPages, withFirstPage } from "./pagination";

test("every page is loaded with the cursor of the page before", async () => {
  const pages: Record<string, { items: number[]; next: string | null }> = {
    first: { items: [1, 2], next: "b" },
    b: { items: [3], next: "c" },
    c: { items: [], next: null },
  };
  expect(await fetchAllPages(async (after) => pages[after ?? "first"]!)).toEqual([1, 2, 3]);
});

test("at most a hundred pages are loaded", async () => {
  let requests = 0;
  const items = await fetchAllPages(async () => ({ items: [++requests], next: "more" }));
  expect(items).toHaveLength(100);
  expect(requests).toBe(100);
});

test("a newer first page keeps the items that it pushes out, and the pages after it", () => {
  const pages = [
    { items: ["c", "b"], next: "b" },
    { items: ["a"], next: null },
  ];
  const first = { items: ["d", "c"], next: "c" };
  expect(withFirstPage(pages, first, String)).toEqual([
    { items: ["d", "c", "b"], next: "b" },
    { items: ["a"], next: null },
  ]);
});

test("the list is loaded again if its first page is completely new", () => {
  const pages = [{ items: ["b", "a"], next: null }];
  expect(withFirstPage(pages, { items: ["y", "x"], next: "x" }, String)).toBeUndefined();
  expect(withFirstPage(pages, { items: ["b"], next: null }, String)).toEqual([{ items: ["b"], next: null }]);
});
