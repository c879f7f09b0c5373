import { expect, test } from "vitest";
import { withoutMarks } from "./markdownPreview";

test.each([
  [
    "## Survey\n\n- **42** answers\n- see [the report](https://example.com/a)",
    "Survey 42 answers see the report",
  ],
  ["The numbers: | Month | Score | |---|---:| | September | 4.2 |", "The numbers: Month Score September 4.2"],
  ["Call `get_order` and *wait*", "Call get_order and wait"],
  ["snake_case_name stays, 2 * 3 * 4 too", "snake_case_name stays, 2 * 3 * 4 too"],
  ["> quoted\n```json\n{}\n```", "quoted {}"],
])("%j is previewed as %j", (text, preview) => {
  expect(withoutMarks(text)).toBe(preview);
});
