import { isNullable, keyOf, nonNull, type Operation, type Schema } from "./developerApi";

const ID = "0192f0c1a2b37c4d8e5f60718293a4b5";
const TIME = "2026-01-31T12:00:00.000Z";

/** Values of properties for which the schema has no example. */
const NAMED: Record<string, unknown> = {
  content: "Where is my order 4711?",
  created_by: `api_key:${ID}`,
  detail: "The field '/content_type' is required.",
  workflow_version: 3,
  usecase: "WORKFLOW_EXECUTION",
  config: { workflow_id: ID },
  title: null,
  path: "/content_type",
  upload_url: "https://…",
  file_url: `s3://parley/…/20300131_120000_invoice.pdf`,
  max_bytes: 100_000_000,
};

/** A value that matches the schema: examples where it has them, and null where null is allowed. */
export function exampleOf(schema: Schema, name = ""): unknown {
  if (name in NAMED) {
    return NAMED[name];
  }
  const { examples, enum: values, type, properties, required, items, format, pattern } = nonNull(schema);
  if (isNullable(schema)) {
    return null;
  }
  if (examples?.length) {
    return format === "date-time" ? TIME : examples[0];
  }
  if (values) {
    return values[0];
  }
  switch ([type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {})
          .filter(([key]) => required?.includes(key))
          .map(([key, each]) => [key, exampleOf(each, key)]),
      );
    case "array":
      return items ? [exampleOf(items)] : [];
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "string":
      return format === "date-time" ? TIME : pattern?.includes("{32}") ? ID : "…";
    default:
      return {};
  }
}

/** Requests that do something useful; the schema alone gives empty ones. */
const BODIES: Record<string, (values: SampleValues) => unknown> = {
  "POST /api/conversations": ({ workflowId }) => ({
    usecase: "WORKFLOW_EXECUTION",
    config: { workflow_id: workflowId || "$WORKFLOW_ID" },
  }),
  "POST /api/messages": ({ conversationId }) => ({
    conversation_id: conversationId || "$CONVERSATION_ID",
    content_type: "text",
    content: "Where is my order 4711?",
  }),
  "POST /api/workflows/{workflow_id}/trigger/sync": () => ({
    human_msg: "Claim 4711: the bolts arrived rusty.",
  }),
  "POST /api/workflow_instances/{workflow_instance_id}/rerun": () => ({ version: "latest" }),
  "POST /api/media/presigned-url": () => ({
    filename: "invoice.pdf",
    content_type: "application/pdf",
    size: 52301,
  }),
  "POST /resume/{token}": () => ({ approved: true }),
};

const VARIABLES: Record<string, string> = {
  conversation_id: "CONVERSATION_ID",
  workflow_id: "WORKFLOW_ID",
  workflow_instance_id: "RUN_ID",
  path: "FILE_PATH",
  token: "TOKEN",
};

export interface SampleValues {
  origin: string;
  /** The reader's API key; empty for a variable. */
  key: string;
  /** The reader's agent; empty for a variable. */
  workflowId: string;
  /** The reader's conversation; empty for a variable. */
  conversationId: string;
}

export const LANGUAGES = ["curl", "JavaScript", "Python"] as const;

export type Language = (typeof LANGUAGES)[number];

/** A request as code. */
export function sampleOf(operation: Operation, language: Language, values: SampleValues): string {
  return { curl, JavaScript: javascript, Python: python }[language](operation, values);
}

/** The body of the example request, with variables such as `$WORKFLOW_ID`; undefined for none. */
export function exampleBody(operation: Operation, values: SampleValues): unknown {
  return BODIES[keyOf(operation)]?.(values);
}

const QUOTED_VARIABLE = /"\$([A-Z_]+)"/g;

/** The first variable in a body that the reader has not replaced. */
export const variableIn = (body: string): string | undefined => [...body.matchAll(QUOTED_VARIABLE)][0]?.[1];

const isStream = ({ path }: Operation) => path.endsWith("/events");
const isDownload = ({ path }: Operation) => path.includes("/media/files/");

function urlOf(
  { path }: Operation,
  { origin, workflowId, conversationId }: SampleValues,
  variable: (name: string) => string,
) {
  const own: Record<string, string> = { workflow_id: workflowId, conversation_id: conversationId };
  return (
    origin +
    path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => own[name] || variable(VARIABLES[name] ?? name.toUpperCase()),
    )
  );
}

function curl(operation: Operation, values: SampleValues): string {
  const body = exampleBody(operation, values);
  const url = urlOf(operation, values, (name) => `$${name}`);
  return [
    `curl ${isStream(operation) ? "-N " : ""}${operation.method === "POST" ? "-X POST " : ""}"${url}"`,
    operation.needsKey && `-H "Authorization: Bearer ${values.key || "$PARLEY_API_KEY"}"`,
    body !== undefined && `-H "Content-Type: application/json"`,
    // A shell replaces variables only outside single quotes.
    body !== undefined && `-d '${JSON.stringify(body, null, 2).replaceAll(QUOTED_VARIABLE, `"'"$$$1"'"`)}'`,
    isDownload(operation) && "-o file",
  ]
    .filter((part) => part !== false)
    .join(" \\\n  ");
}

function javascript(operation: Operation, values: SampleValues): string {
  const { method, needsKey } = operation;
  const body = exampleBody(operation, values);
  const url = urlOf(operation, values, (name) => `\${process.env.${name}}`);
  const quote = url.includes("${") ? "`" : '"';
  const headers = [
    needsKey &&
      `    Authorization: ${values.key ? `"Bearer ${values.key}"` : "`Bearer ${process.env.PARLEY_API_KEY}`"},`,
    body !== undefined && `    "Content-Type": "application/json",`,
  ].filter((line) => line !== false);
  const lines = [
    `const response = await fetch(${quote}${url}${quote}, {`,
    ...(method === "POST" ? [`  method: "POST",`] : []),
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${indent(body).replaceAll(QUOTED_VARIABLE, "process.env.$1")}),`]),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
  ];
  if (isStream(operation)) {
    lines.push(
      "for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {",
      "  console.log(chunk);",
      "}",
    );
  } else if (isDownload(operation)) {
    lines.push("const file = await response.blob();");
  } else if (operation.responses[0]?.schema) {
    lines.push("console.log(await response.json());");
  }
  return lines.join("\n");
}

function python(operation: Operation, values: SampleValues): string {
  const body = exampleBody(operation, values);
  const url = urlOf(operation, values, (name) => `{os.environ['${name}']}`);
  const prefix = url.includes("{os.") ? "f" : "";
  const lines = [
    "import os",
    "import requests",
    "",
    `response = requests.${operation.method.toLowerCase()}(`,
    `    ${prefix}"${url}",`,
    ...(operation.needsKey
      ? [
          values.key
            ? `    headers={"Authorization": "Bearer ${values.key}"},`
            : `    headers={"Authorization": f"Bearer {os.environ['PARLEY_API_KEY']}"},`,
        ]
      : []),
    ...(body === undefined ? [] : [`    json=${pythonLiteral(indent(body, 4))},`]),
    ...(isStream(operation) ? ["    stream=True,"] : []),
    ")",
    "response.raise_for_status()",
  ];
  if (isStream(operation)) {
    lines.push("for line in response.iter_lines(decode_unicode=True):", "    print(line)");
  } else if (isDownload(operation)) {
    lines.push('open("file", "wb").write(response.content)');
  } else if (operation.responses[0]?.schema) {
    lines.push("print(response.json())");
  }
  return lines.join("\n");
}

const indent = (value: unknown, by = 2) =>
  JSON.stringify(value, null, by).replaceAll("\n", `\n${" ".repeat(by)}`);

const pythonLiteral = (json: string) =>
  json.replaceAll(/: true\b/g, ": True").replaceAll(QUOTED_VARIABLE, 'os.environ["$1"]');
