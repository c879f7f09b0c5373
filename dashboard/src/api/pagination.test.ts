import { expect, test } from "vitest";
import { fetchAllPages } from "./pagination";

test("every page is loaded with the cursor of the page before", async () => {
  const pages: Record<string, { items: number[]; next: string | null }> = {
    first: { items: [1, 2], next: "b" },
    b: { items: [3], next: "c" },
    c: { items: [], next: null },
  };
  expect(await fetchAllPages(async (after) => pages[after ?? "first"]!)).toEqual([1, 2, 3]);
});

test("at most ten pages are loaded", async () => {
  let requests = 0;
  const items = await fetchAllPages(async () => ({ items: [++requests], next: "more" }));
  expect(items).toHaveLength(10);
  expect(requests).toBe(10);
});
