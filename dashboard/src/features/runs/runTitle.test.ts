import { expect, test } from "vitest";
import { runTitle } from "./runTitle";

const started = (human_msg: string | null, values: Record<string, unknown> = {}, file_urls: string[] = []) =>
  ({ human_msg, file_urls, values, used_values: values }) as Parameters<typeof runTitle>[2];

test.each([
  [undefined, "Run of Archive"],
  [started("Order **X4707**\nplease"), "Run of Archive: Order X4707 please"],
  [started(null, { order: "X4707" }), "Run of Archive: X4707"],
  [started(null, { total: 12 }), "Run of Archive: 12"],
  [started(null, {}, ["s3://b/o/20261124_235752_minutes.md"]), "Run of Archive: minutes.md"],
  [started(null), "Run of Archive …89abcdef"],
  [started("a ".repeat(40)), `Run of Archive: ${"a ".repeat(30).trim()}…`],
])("a run with the input %j is %s", (input, title) => {
  expect(runTitle("Archive", "0123456789abcdef", input)).toBe(title);
});
