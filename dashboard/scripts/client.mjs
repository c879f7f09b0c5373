// Generates the types of the dashboard API from the OpenAPI document.
import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";

const source = new URL("../../docs/openapi.json", import.meta.url);
const target = new URL("../src/api/schema.d.ts", import.meta.url);

const document = JSON.parse(await readFile(source, "utf8"));
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
