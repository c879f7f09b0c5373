// Generates the types of the dashboard API from the OpenAPI document.
import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";
import ts from "typescript";

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
// RawJson is passed through as is; its schema describes a wrapper that is not part of the response.
const anyObject = ts.factory.createTypeReferenceNode("Record", [
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword),
]);
const ast = await openapi(document, {
  propertiesRequiredByDefault: true,
  emptyObjectsUnknown: true,
  transform: (_, { path }) => (path?.endsWith("/components/schemas/RawJson") ? anyObject : undefined),
});
await writeFile(target, astToString(ast));
