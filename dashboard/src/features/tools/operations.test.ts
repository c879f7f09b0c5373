import { expect, test } from "vitest";
import { matching, tagsOf } from "./operations";

const operation = (name: string, path: string, tags: string[]) => ({
  name,
  method: "GET",
  path,
  summary: `Reads ${name}`,
  tags,
  deprecated: false,
});

const OFFERED = [
  operation("listPets", "/pets", ["Pets", "Lists"]),
  operation("getOwner", "/owners/{id}", ["Owners"]),
];

test.each([
  ["", 2],
  ["pets", 1],
  ["GET owner", 1],
  ["lists reads", 1],
  ["pets owner", 0],
])("a search for “%s” finds %i operations", (search, count) => {
  expect(matching(OFFERED, search)).toHaveLength(count);
});

test("tags are listed once, sorted", () => {
  expect(tagsOf([...OFFERED, ...OFFERED])).toEqual(["Lists", "Owners", "Pets"]);
});
