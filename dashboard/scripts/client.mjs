// Makes the types of the dashboard's API from the service's OpenAPI document.
import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";
import ts from "typescript";

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
// JSON that the service passes on as it is: its schema tells of a wrapper that is not in the answer.
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
