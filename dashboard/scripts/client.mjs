// Generates the types of the dashboard API from the OpenAPI document, those of the workflow definition from its schema,
// and the part of the document that /docs shows.
import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";

const read = (name) => readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8");
const target = new URL("../src/api/schema.d.ts", import.meta.url);

const document = JSON.parse(await read("openapi.json"));
await writeFile(
  new URL("../src/api/developerApi.json", import.meta.url),
  JSON.stringify(developerApi(document)),
);
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

/** The operations of the developer API, with the schemas that they use. */
function developerApi({ paths, components }) {
  const resolve = (value) => {
    const found = value.$ref?.split("/").slice(2);
    return found ? components[found[0]][found[1]] : value;
  };
  const jsonOf = (content) => content?.["application/json"]?.schema;
  const operations = [];
  for (const [path, methods] of Object.entries(paths)) {
    if (!path.startsWith("/developer/")) continue;
    for (const [
      method,
      { summary, description, parameters, requestBody, responses, security },
    ] of Object.entries(methods)) {
      operations.push({
        method: method.toUpperCase(),
        path,
        summary,
        description,
        needsKey: (security?.length ?? 0) > 0,
        parameters: parameters ?? [],
        body: jsonOf(requestBody?.content),
        responses: Object.entries(responses).map(([status, response]) => ({
          status,
          description: resolve(response).description,
          schema: jsonOf(resolve(response).content),
        })),
      });
    }
  }
  const schemas = {};
  const collect = (value) => {
    if (typeof value !== "object" || value === null) return;
    const name = value.$ref?.split("/").pop();
    if (name && !schemas[name]) {
      schemas[name] = components.schemas[name];
      collect(schemas[name]);
    }
    Object.values(value).forEach(collect);
  };
  collect(operations);
  return { operations, schemas };
}
