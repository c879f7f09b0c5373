// Generates the types of the dashboard API from the OpenAPI document, and those of the workflow definition from its schema.
import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";

const read = (name) => readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8");
const target = new URL("../src/api/schema.d.ts", import.meta.url);

const document = JSON.parse(await read("openapi.json"));
const definition = (await read("workflow-definition.schema.json")).replaceAll(
  "#/$defs/",
  "#/components/schemas/",
);
const { $defs, ...workflow } = JSON.parse(definition);
Object.assign(document.components.schemas, { workflow }, $defs);
for (const path of Object.keys(document.paths)) {
  if (!path.startsWith("/dashboard/api")) delete document.paths[path];
}
// The types are keyed by path; operation IDs need not be unique.
for (const path of Object.values(document.paths)) {
  for (const operation of Object.values(path)) delete operation.operationId;
}
await writeFile(
  target,
  astToString(await openapi(document, { emptyObjectsUnknown: true, defaultNonNullable: false })),
);
