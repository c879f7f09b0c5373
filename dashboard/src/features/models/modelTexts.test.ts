import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import { capabilitiesOf, pricesOf } from "./modelTexts";

const UNKNOWN = {
  tools: null,
  images: null,
  json_schema: null,
  json_object: null,
  streaming: null,
  reasoning: null,
};

const model = (fields: Partial<Schemas["Model"]>) =>
  ({ input_price: 0, cached_input_price: null, output_price: 0, ...fields }) as Schemas["Model"];

test("only what a model can do is listed", () => {
  expect(capabilitiesOf({ capabilities: { ...UNKNOWN, tools: true, images: false } })).toEqual(["Tools"]);
});

test("a cached price is shown if there is one", () => {
  expect(pricesOf(model({}))).toBe("No price");
  expect(pricesOf(model({ input_price: 1.25, output_price: 10 }))).toMatch(/1\.25 in, .*10\.00 out$/);
  expect(pricesOf(model({ input_price: 1.25, cached_input_price: 0.125, output_price: 10 }))).toMatch(
    /0\.125 cached/,
  );
});
