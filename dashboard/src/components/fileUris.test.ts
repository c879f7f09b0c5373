import { expect, test } from "vitest";
import { withFileNames } from "./fileUris";

test.each([
  ["Files: 20261124_235752_minutes.md (text), 20261124_235752_a b.csv", "Files: minutes.md (text), a b.csv"],
  ["s3://parley/0192/image/01a2/20261124_235840_shot.png", "shot.png"],
  ['minutes: "s3://parley/0192/20261124_235752_minutes.md"', 'minutes: "minutes.md"'],
  ["See s3://data/report.pdf", "See report.pdf"],
  ["Order 20261124_235752 and ref-20261124_235752_x", "Order 20261124_235752 and ref-20261124_235752_x"],
])("%s reads %s", (text, readable) => {
  expect(withFileNames(text)).toBe(readable);
});
