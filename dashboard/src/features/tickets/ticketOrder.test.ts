import { expect, test } from "vitest";
import { neighbors } from "./ticketOrder";

const list = (ids: string) => [...ids].map((id) => ({ id }));

test("the neighbors of a listed ticket", () => {
  expect(neighbors(list("abc"), [], "b")).toEqual({ previous: { id: "a" }, next: { id: "c" }, position: 2 });
});

test.each([
  ["ac", "abc", "b", "a", "c"],
  ["ab", "abc", "c", "b", "a"],
  ["abd", "abcd", "c", "b", "d"],
  ["a", "", "z", undefined, "a"],
  ["", "b", "b", undefined, undefined],
])("in %s, after %s, the completed %s has %s before and %s next", (items, order, id, previous, next) => {
  const found = neighbors(list(items), [...order], id);
  expect(found.previous?.id).toBe(previous);
  expect(found.next?.id).toBe(next);
  expect(found.position).toBe(0);
});
