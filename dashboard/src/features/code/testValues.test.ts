import { expect, test } from "vitest";
import { testValues } from "./testValues";

const field = (name: string, type: string, required = true) => ({ name, type, required, description: "" });

test("test values have the types of the declared inputs", () => {
  const fields = [field("text", "STRING"), field("count", "INTEGER"), field("rate", "FLOAT", false)];
  expect(testValues(fields, { text: "5", count: "3", rate: "" })).toEqual({
    values: { text: "5", count: 3 },
    errors: {},
  });
  expect(testValues(fields, { text: "", count: "x", rate: null }).errors).toEqual({
    text: "Enter a value.",
    count: expect.any(String) as string,
  });
});
