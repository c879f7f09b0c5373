import { expect, test } from "vitest";
import { blankErrors, checkStructure, errorText, structureOf } from "./structures";

const LINES = {
  type: "ARRAY",
  items: {
    type: "OBJECT",
    properties: [
      { name: "article", type: "STRING", required: true },
      { name: "unit_price", type: "FLOAT", required: true },
      { name: "urgent", type: "BOOLEAN", required: false },
    ],
  },
};
const TAGS = { type: "ARRAY", items: { type: "STRING" } };

test("rows are read from and written to JSON", () => {
  const lines = structureOf(LINES)!;
  expect(lines.read('[{"article": "A-1", "unit_price": 2.5}]')).toEqual([
    { article: "A-1", unit_price: 2.5 },
  ]);
  expect(JSON.parse(lines.write([{ article: "A-1" }, {}])!)).toEqual([{ article: "A-1" }, {}]);
  expect(lines.write([{ article: "" }])).toBeNull();
  const tags = structureOf(TAGS)!;
  expect(tags.read('["office"]')).toEqual([{ value: "office" }]);
  expect(JSON.parse(tags.write([{ value: "office" }, { value: "Q4" }])!)).toEqual(["office", "Q4"]);
});

test.each(['[{"article": {}}]', '[{"other": 1}]', "[1]", "{}", "[", "null"])(
  "%s stays JSON, because the rows cannot show it",
  (text) => {
    expect(structureOf(LINES)!.read(text)).toBeUndefined();
    expect(checkStructure(LINES, text)).toBeUndefined();
  },
);

test("a type without known members has no form", () => {
  expect(structureOf({ type: "OBJECT", properties: [] })).toBeUndefined();
  expect(structureOf({ type: "ARRAY", items: { type: "ARRAY", items: { type: "STRING" } } })).toBeUndefined();
});

test("sent values have no blank rows", () => {
  expect(checkStructure(LINES, '[{"article": "A-1", "unit_price": "2.5"}, {"article": ""}]')).toEqual({
    value: [{ article: "A-1", unit_price: "2.5" }],
  });
  expect(checkStructure(TAGS, '["office", ""]')).toEqual({ value: ["office"] });
});

test("all errors are found at once, each with its row and field", () => {
  const number = expect.stringMatching(/^Enter a number/) as string;
  expect(
    checkStructure(
      LINES,
      '[{"unit_price": "cheap"}, {}, {"article": "A-1"}, {"article": "B", "unit_price": 1}]',
    ),
  ).toEqual({
    errors: [
      { row: 0, name: "article", text: "Enter a value." },
      { row: 0, name: "unit_price", text: number },
      { row: 2, name: "unit_price", text: "Enter a value." },
    ],
  });
});

test("a required form without any value lacks its required fields", () => {
  expect(blankErrors(LINES).map(({ row, name }) => [row, name])).toEqual([
    [0, "article"],
    [0, "unit_price"],
  ]);
});

test("an error names its place where the form is not shown", () => {
  const error = { row: 1, name: "unit_price", text: "Enter a value." };
  expect(errorText(LINES, error)).toBe("Row 2: Unit price: Enter a value.");
  expect(errorText(TAGS, { ...error, name: "value" })).toBe("Row 2: Enter a value.");
  expect(errorText({ type: "OBJECT", properties: LINES.items.properties }, error)).toBe(
    "Unit price: Enter a value.",
  );
});
