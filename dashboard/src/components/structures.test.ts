import { expect, test } from "vitest";
import { checkStructure, structureOf } from "./structures";

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

test("sent values have no blank rows, and errors name their row", () => {
  expect(checkStructure(LINES, '[{"article": "A-1", "unit_price": "2.5"}, {"article": ""}]')).toEqual({
    value: [{ article: "A-1", unit_price: "2.5" }],
  });
  expect(checkStructure(TAGS, '["office", ""]')).toEqual({ value: ["office"] });
  expect(checkStructure(LINES, '[{"article": "A-1", "unit_price": "cheap"}]')).toEqual({
    error: expect.stringMatching(/^Row 1: Unit price: Enter a number/),
  });
  expect(checkStructure(LINES, '[{"unit_price": "2"}]')).toEqual({ error: "Row 1: Article: Enter a value." });
});
