import { expect, test } from "vitest";
import { truncate } from "./truncate";

test("no length splits a surrogate pair", () => {
  const text = "a💬b💬";
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((length) => truncate(text, length))).toEqual([
    "",
    "a",
    "a",
    "a💬",
    "a💬b",
    "a💬b",
    "a💬b💬",
    "a💬b💬",
  ]);
});
