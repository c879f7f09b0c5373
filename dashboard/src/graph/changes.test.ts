import { expect, test } from "vitest";
import { burstKeyOf, compare, isUntouched, unfinishedAfter } from "./changes";

const input = (name: string, description?: string) => ({ name, description });
const document = (...inputs: object[]) => ({ name: "Agent", tasks: [{ id: "a", inputs }] });

test("typing in one field has one key, whether the field existed or not", () => {
  const keys = [
    compare(document(input("a")), document(input("ab"))),
    compare(document(input("a")), document(input("a", "x"))),
    compare(document(input("a", "x")), document(input("a", "xy"))),
  ].map(burstKeyOf);
  expect(keys).toEqual(["/tasks/0/inputs/0/name", "/tasks/0/inputs/0/description", keys[1]]);
});

test("adding and removing elements never joins another edit", () => {
  const [one, two] = [document(input("a")), document(input("a"), input("b"))];
  expect(compare(one, two)).toEqual({ changed: [], added: ["/tasks/0/inputs/1"], shortened: [] });
  expect(compare(two, one).shortened).toEqual(["/tasks/0/inputs"]);
  expect([compare(one, two), compare(two, one), compare(one, one)].map(burstKeyOf)).toEqual([
    null,
    null,
    null,
  ]);
});

test("an empty list or text in the place of none is no edit", () => {
  const { changed } = compare(
    { name: "a", connections: null },
    { name: "ab", connections: [], description: "" },
  );
  expect(changed).toEqual(["/name"]);
});

test("pointers escape field names", () => {
  expect(compare({ "a/b~": 1 }, { "a/b~": 2 }).changed).toEqual(["/a~1b~0"]);
});

test("a new input has no issues at its fields before they are edited, or before something else is", () => {
  const path = "/tasks/0/inputs/1";
  const [one, two, named] = [
    document(input("a")),
    document(input("a"), input("b")),
    document(input("a"), input("bc")),
  ];
  const added = unfinishedAfter(null, compare(one, two));
  expect([path, `${path}/name`].map((each) => isUntouched(added, each))).toEqual([true, true]);
  expect(isUntouched(added, "/tasks/0/inputs/10")).toBe(false);
  const typed = unfinishedAfter(added, compare(two, named));
  expect([`${path}/name`, `${path}/description`].map((each) => isUntouched(typed, each))).toEqual([
    false,
    true,
  ]);
  expect(unfinishedAfter(typed, compare(named, { ...named, name: "Other" }))).toBeNull();
  expect(unfinishedAfter(typed, compare(named, one))).toBeNull();
});
