import { expect, test } from "vitest";
import { neighbors } from "./ticketOrder";

const list = (ids: string) => [...ids].map((id) => ({ id }));

test("the neighbors of a listed ticket", () => {
  expect(neighbors(list("abc"), [], "b")).toEqual({ previous: { id: "a" }, next: { id: "c" }, position: 2 });
});

test.each([
  ["ac", "abc", "b", "a", "c", 2],
  ["ab", "abc", "c", "b", "a", 3],
  ["abd", "abcd", "c", "b", "d", 3],
  ["a", "", "z", undefined, "a", 0],
  ["", "b", "b", undefined, undefined, 1],
])(
  "in %s, after %s, the completed %s has %s before and %s next",
  (items, order, id, previous, next, position) => {
    const found = neighbors(list(items), [...order], id);
    expect(found.previous?.id).toBe(previous);
    expect(found.next?.id).toBe(next);
    expect(found.position).toBe(position);
  },
);
