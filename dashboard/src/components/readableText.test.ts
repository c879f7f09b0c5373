import { expect, test } from "vitest";
import { readableText } from "./readableText";

test.each([
  ["Hello {you}", "Hello {you}"],
  ['{"destination":"Lisbon","days":"3","by":null}', "destination: Lisbon · days: 3"],
  ['{"lines":[{"article":"A 1","count":2},{"article":"B"}]}', "lines: article: A 1 · count: 2, article: B"],
  ["[1,2]", "1, 2"],
  ['{"destination":"Lisbon","days":3,"note":"By tra', "destination: Lisbon · days: 3 · note: By tra"],
  ["[See the note](x)", "[See the note](x)"],
])("%s is shown as %s", (text, shown) => {
  expect(readableText(text)).toBe(shown);
});
