import Fuse from "fuse.js/basic";
import { expect, test } from "vitest";
import { searchItems, similarItems, withoutVerb } from "./searchRanking";

const items = [
  { label: "Invoice approval", group: "Recent", description: "Agent" },
  { label: "Overview", group: "Pages" },
  { label: "Runs", group: "Pages" },
  { label: "Rerun everything", group: "Agents" },
  { label: "#12 Approve", group: "Tickets", found: true },
];
const labels = (text: string, most = 10) => searchItems(items, text, most).map((each) => each.label);

test("without a text, items keep their order and groups their limit", () => {
  expect(labels("")).toEqual(["Invoice approval", "Overview", "Runs", "Rerun everything", "#12 Approve"]);
  expect(labels("", 1)).toEqual(["Invoice approval", "Overview", "Rerun everything", "#12 Approve"]);
});

test("the group with the best match is first", () => {
  expect(labels("run")).toEqual(["Runs", "Rerun everything", "#12 Approve"]);
  expect(labels("#1")).toEqual(["#12 Approve"]);
  expect(labels("12")).toEqual(["#12 Approve"]);
});

test("words may be in the description, in any order", () => {
  expect(labels("agent invoice")).toContain("Invoice approval");
  expect(labels("nothing")).toEqual(["#12 Approve"]);
});

test("a typo finds similar labels", () => {
  const similar = (text: string) => similarItems(Fuse, items, text).map(({ label, group }) => [label, group]);
  expect(similar("invocie")).toEqual([["Invoice approval", "Similar"]]);
  expect(similar("overveiw")).toEqual([["Overview", "Similar"]]);
  expect(similar("zebra crossing")).toEqual([]);
  expect(similar("rum")).toEqual([]);
});

test("a verb before the name of a page is left out", () => {
  expect(labels("go to runs")[0]).toBe("Runs");
  expect(labels("Open the overview")[0]).toBe("Overview");
  expect(labels("show me runs page")[0]).toBe("Runs");
  expect(withoutVerb("open")).toBe("open");
  expect(withoutVerb("show ")).toBe("show");
  expect(withoutVerb("landing page")).toBe("landing page");
  const named = [{ label: "Open questions" }, { label: "Questions" }];
  expect(searchItems(named, "open questions", 9).map(({ label }) => label)).toEqual([
    "Open questions",
    "Questions",
  ]);
});

test("the ticket with the typed number is before those that start with it", () => {
  const tickets = [
    { label: "#10 Approve", group: "Recent" },
    { label: "#14 Approve", group: "Recent" },
    { label: "#1 Approve", group: "Tickets", found: true },
    { label: "#12 Approve", group: "Tickets", found: true },
  ];
  for (const typed of ["#1", "1", "ticket 1", "open ticket #1"]) {
    expect(searchItems(tickets, typed, 9)[0]?.label).toBe("#1 Approve");
  }
});

test("candidates are listed only for a typo, which may be in their text", () => {
  const candidates = [{ label: "#3 Approve", detail: "parcel: damaged lamp", onlySimilar: true }];
  expect(searchItems(candidates, "approve", 9)).toEqual([]);
  expect(similarItems(Fuse, candidates, "damagde lamp").map(({ label }) => label)).toEqual(["#3 Approve"]);
});
