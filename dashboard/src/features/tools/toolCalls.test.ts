import { expect, test } from "vitest";
import { addCall, readCalls, summaryOf, type PastCall } from "./toolCalls";

const stored = new Map<string, string>();
const store = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
};
const call = (text: string): PastCall => ({
  at: "2026-01-31T12:00:00.000Z",
  succeeded: true,
  durationMs: 5,
  typed: { text },
  asJson: {},
});

test("keeps the last ten calls of each tool, newest first", () => {
  for (let i = 0; i < 12; i++) {
    addCall(store, "org", 1, call(String(i)));
  }
  expect(readCalls(store, "org", 1).map(({ typed }) => typed.text)).toEqual([
    "11",
    "10",
    "9",
    "8",
    "7",
    "6",
    "5",
    "4",
    "3",
    "2",
  ]);
  expect(readCalls(store, "org", 2)).toEqual([]);
});

test("drops older calls of large arguments, and ignores what it cannot read", () => {
  addCall(store, "org", 3, call("old"));
  addCall(store, "org", 3, call("x".repeat(300_000)));
  expect(readCalls(store, "org", 3)).toHaveLength(1);
  stored.set("parley.tool-calls:org:4", "{");
  expect(readCalls(store, "org", 4)).toEqual([]);
});

test("sums up the inputs of a call", () => {
  const typed = { url: "http://a.example/", method: "", headers: "[]", body: "two\nlines", verbose: true };
  expect(summaryOf({ ...call(""), typed })).toBe("url: http://a.example/ · body: two lines · verbose: true");
  expect(summaryOf({ ...call(""), typed: {} })).toBe("No inputs");
});
