// Generates the types of the dashboard API from its OpenAPI document, those of the workflow definition from its schema,
// and what /docs shows from the document of the developer API.
import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";

const read = (name) => readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8");
const target = new URL("../src/api/schema.d.ts", import.meta.url);

const document = JSON.parse(await read("openapi-dashboard.json"));
await writeFile(
  new URL("../src/api/developerApi.json", import.meta.url),
  JSON.stringify(developerApi(JSON.parse(await read("openapi.json")))),
);
const definition = (await read("workflow-definition.schema.json")).replaceAll(
  "#/$defs/",
  "#/components/schemas/",
);
const { $defs, ...workflow } = JSON.parse(definition);
Object.assign(document.components.schemas, { workflow }, $defs);
await writeFile(
  target,
  astToString(await openapi(document, { emptyObjectsUnknown: true, defaultNonNullable: false })),
);

/** The operations of the developer API, and its schemas. */
function developerApi({ paths, components }) {
  const resolve = (value) => {
    const found = value.$ref?.split("/").slice(2);
    return found ? components[found[0]][found[1]] : value;
  };
  const bodyOf = (content) => {
    const { schema, example, examples } = content?.["application/json"] ?? {};
    return {
      schema,
      example: example ?? Object.values(examples ?? {}).map((each) => resolve(each).value)[0],
    };
  };
  const operations = [];
  for (const [path, methods] of Object.entries(paths)) {
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
        body: requestBody && bodyOf(requestBody.content),
        responses: Object.entries(responses).map(([status, response]) => ({
          status,
          description: resolve(response).description,
          ...bodyOf(resolve(response).content),
        })),
      });
    }
  }
  return { operations, schemas: components.schemas };
}
