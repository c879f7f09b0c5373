import { expect, it } from "vitest";
import type { Schemas } from "../../api";
import { isOutdated } from "./useDryRun";

const version = (number: number) => ({ version: number }) as Schemas["CodeArtifact"];

const draft = (source: string, type: "STRING" | "INTEGER" = "STRING") => ({
  source,
  outputs: [{ name: "gross", type, description: null }],
});

it("marks a result of another source or other outputs, but not after saving what ran", () => {
  const ran = { artifact: version(1), draft: draft("return 1") };
  expect(isOutdated(ran, { artifact: version(1), draft: draft("return 2") })).toBe(true);
  expect(isOutdated(ran, { artifact: version(1), draft: draft("return 1", "INTEGER") })).toBe(true);
  expect(isOutdated(ran, { artifact: version(2), draft: draft("return 1") })).toBe(false);
  expect(isOutdated({ artifact: version(1), draft: null }, { artifact: version(2), draft: null })).toBe(true);
});
