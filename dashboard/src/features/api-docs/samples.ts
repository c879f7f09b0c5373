import type { Operation } from "./developerApi";

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

/** The body of the example request, with variables such as `$WORKFLOW_ID` for its ids; undefined for none. */
export function exampleBody({ body }: Operation, { workflowId, conversationId }: SampleValues): unknown {
  const ids: Record<string, string> = {
    workflow_id: workflowId || "$WORKFLOW_ID",
    conversation_id: conversationId || "$CONVERSATION_ID",
  };
  return (
    body?.example &&
    (JSON.parse(JSON.stringify(body.example, (name, value: unknown) => ids[name] ?? value)) as unknown)
  );
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
