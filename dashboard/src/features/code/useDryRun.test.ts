import { expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { isOutdated } from "./useDryRun";

const version = (number: number) => ({ version: number }) as Schemas["CodeArtifact"];

it("marks a result of another source, but not after saving the source that ran", () => {
  const ran = { artifact: version(1), draft: "return 1" };
  expect(isOutdated(ran, { artifact: version(1), draft: "return 2" })).toBe(true);
  expect(isOutdated(ran, { artifact: version(2), draft: "return 1" })).toBe(false);
  expect(isOutdated({ artifact: version(1), draft: null }, { artifact: version(2), draft: null })).toBe(true);
});
