import { expect, test } from "vitest";
import { isFilledByMessage, valuesOf } from "./queries";

test("the input of a run has the values that people gave later, and the message once", () => {
  const inputs = {
    human_msg: "Graz",
    file_urls: ["s3://b/o/1.pdf"],
    values: { days: 2 },
    used_values: { days: 2, amount: 12.5, destination: "Graz" },
  };
  expect(valuesOf(inputs)).toEqual({ message: "Graz", "file 1": "s3://b/o/1.pdf", days: 2, amount: 12.5 });
  expect(isFilledByMessage(inputs, "destination")).toBe(true);
  expect(isFilledByMessage(inputs, "amount")).toBe(false);
});
