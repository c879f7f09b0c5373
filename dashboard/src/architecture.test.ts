import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

/** Each folder imports only itself and those before it. */
const LAYERS = ["api", "components", "graph", "values", "features", "layout"];

/** The features that a feature imports. A new entry must not make a cycle. */
const FEATURES = {
  agents: ["code", "conversations", "models", "runs", "tickets", "tools"],
  "api-docs": ["webhooks"],
  "audit-log": ["account", "conversations", "data-lakes", "tickets", "tools"],
  emails: ["tickets"],
  overview: ["tickets", "webhooks"],
  tickets: ["runs"],
};

const imports = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /(?<!\.test|\.d)\.tsx?$/.test(file))
  .flatMap((from) =>
    [...readFileSync(join("src", from), "utf8").matchAll(/^(?:import|\} from) .*"(\.[^"]+)";$/gm)].map(
      ([, to = ""]) => ({ from, to: normalize(join(dirname(from), to)) }),
    ),
  );

const layerOf = (path: string) => LAYERS.indexOf(path.split("/")[0]!);

const featureOf = (path: string) => (path.startsWith("features/") ? path.split("/")[1] : undefined);

/** Generated from the service's documents. */
const GENERATED = ["api/schema", "api/developerApi.json"];

test("only the request layer knows the API client", () => {
  const outside = imports.filter(({ from }) => !from.startsWith("api/"));
  expect(outside.filter(({ to }) => to.startsWith("api/") && !GENERATED.includes(to))).toEqual([]);
});

test("no folder imports one that builds on it", () => {
  const below = imports.filter(({ from }) => layerOf(from) >= 0);
  expect(below.length).toBeGreaterThan(1_000);
  expect(below.filter(({ from, to }) => layerOf(to) > layerOf(from))).toEqual([]);
});

test("features import only the features that are listed", () => {
  const found: Record<string, Set<string>> = {};
  for (const { from, to } of imports) {
    const [feature, other] = [featureOf(from), featureOf(to)];
    if (feature && other && feature !== other) {
      (found[feature] ??= new Set()).add(other);
    }
  }
  const listed = Object.entries(found).map(([feature, others]) => [feature, [...others].toSorted()]);
  expect(Object.fromEntries(listed)).toEqual(FEATURES);
});
