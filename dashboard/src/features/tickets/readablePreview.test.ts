import { expect, test } from "vitest";
import { readablePreview } from "./readablePreview";

test.each([
  ["due: 2026-12-18T00:00:00.000Z · total: 5", "due: <2026-12-18T00:00:00.000Z> · total: 5"],
  ["due: 25 Nov 2026, 01:13 UTC", "due: <2026-11-25T01:13:00.000Z>"],
  ["due: 2026-99-18T00:00:00.000Z", "due: 2026-99-18T00:00:00.000Z"],
  [
    "minutes: 20261124_235752_minutes.md, 20261124_235752_20261124_235752_b.md",
    "minutes: minutes.md, 20261124_235752_b.md",
  ],
  ["scan: s3://parley/01a2/20261124_235752_scan.pdf", "scan: scan.pdf"],
])("the preview %s reads %s", (preview, readable) => {
  expect(readablePreview(preview, (at) => `<${at}>`)).toBe(readable);
});
