// Makes the types of the dashboard's API from the service's OpenAPI document.
import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";

const source = new URL("../../docs/openapi.json", import.meta.url);
const target = new URL("../src/api/schema.d.ts", import.meta.url);

const document = JSON.parse(await readFile(source, "utf8"));
for (const path of Object.keys(document.paths)) {
  if (!path.startsWith("/dashboard/api")) delete document.paths[path];
}
// Types go by paths; names of operations may stand twice where methods of two classes are called alike.
for (const path of Object.values(document.paths)) {
  for (const operation of Object.values(path)) delete operation.operationId;
}
await writeFile(
  target,
  astToString(await openapi(document, { emptyObjectsUnknown: true, defaultNonNullable: false })),
);
