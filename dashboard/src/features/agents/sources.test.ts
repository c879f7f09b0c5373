import { expect, test } from "vitest";
import { misfit } from "./sources";

test("an output that an input doesn’t take says why", () => {
  expect(misfit("FLOAT", false, "STRING")).toBe("a number, the input takes text");
  expect(misfit("PDF", false, "INTEGER")).toBe("text, the input takes a whole number");
  expect(misfit("STRING", true, "STRING")).toBe("a list, the input takes text");
  expect(misfit("STRING", true, "ARRAY")).toBe("a list, the input takes other items");
});
