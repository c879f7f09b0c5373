import { expect, test } from "vitest";
import { searchItems } from "./searchRanking";

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
});

test("words may be in the description, in any order", () => {
  expect(labels("agent invoice")).toContain("Invoice approval");
  expect(labels("nothing")).toEqual(["#12 Approve"]);
});
