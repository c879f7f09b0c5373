import type { Schemas } from "../../api";

type Arguments = Record<string, unknown>;

const SECRET_NAME = /authorization|cookie|token|secret|password|(^|[-_])key$|api-?key/i;

/** Marks the name of a variable that stands for a secret. No argument contains this character. */
const MARK = "\0";

const isSecret = (name: string) => SECRET_NAME.test(name) && name.toLowerCase() !== "idempotency-key";

const withoutSecret = (name: string, value: string) =>
  isSecret(name) ? MARK + name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_") + MARK : value;

/** Quotes a text for a shell. Secrets become variables. */
function quoted(text: string): string {
  const parts = text.split(MARK);
  return parts.length === 1
    ? `'${text.replaceAll("'", String.raw`'\''`)}'`
    : `"${parts.map((part, index) => (index % 2 === 1 ? `$\{${part}}` : part.replaceAll(/[\\$`"]/g, String.raw`\$&`))).join("")}"`;
}

/** A request of the service as a curl command. */
export const curlOfRequest = ({ method, url, headers, body }: Schemas["ToolRequest"]) =>
  command(
    method,
    url,
    headers.map(({ name, value }): [string, string] => [name, value]),
    body ?? undefined,
  );

/**
 * The call of a tool as a curl command; undefined for tools that a single request cannot call. Values of headers and
 * parameters that look like secrets are left out.
 */
export function curlOf(
  tool: Pick<Schemas["Tool"], "provider" | "tool_name">,
  given: Arguments,
  origin: string,
): string | undefined {
  if (tool.provider === "workflow") {
    return command(
      "POST",
      `${origin}/developer/api/workflows/${tool.tool_name}/trigger/sync`,
      [
        ["Authorization", `Bearer ${MARK}PARLEY_API_KEY${MARK}`],
        ["Content-Type", "application/json"],
      ],
      JSON.stringify({ inputs: given }),
    );
  }
  return tool.provider === "builtin" && tool.tool_name === "http.request" ? httpRequest(given) : undefined;
}

function httpRequest({ url, method, query, headers, body }: Arguments): string {
  const verb = typeof method === "string" ? method : body === undefined ? "GET" : "POST";
  const pairs = Object.entries((headers ?? {}) as Record<string, string>);
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const isTyped = pairs.some(([name]) => name.toLowerCase() === "content-type");
  return command(
    verb,
    withQuery(typeof url === "string" ? url : "", query),
    [
      ...pairs.map(([name, value]): [string, string] => [name, withoutSecret(name, value)]),
      ...(text !== undefined && typeof body !== "string" && !isTyped
        ? ([["Content-Type", "application/json"]] as [string, string][])
        : []),
    ],
    text,
  );
}

function withQuery(url: string, query: unknown): string {
  const [address = "", own = ""] = url.split(/\?(.*)/s);
  const parameters = [
    ...own
      .split("&")
      .filter((each) => each !== "")
      .map((each) => {
        const [name = "", value] = each.split(/=(.*)/s);
        return value === undefined ? name : `${name}=${withoutSecret(name, value)}`;
      }),
    ...Object.entries((query ?? {}) as Record<string, string>).map(
      ([name, value]) => `${encodeURIComponent(name)}=${withoutSecret(name, encodeURIComponent(value))}`,
    ),
  ];
  return parameters.length === 0 ? address : `${address}?${parameters.join("&")}`;
}

function command(method: string, url: string, headers: [string, string][], body: string | undefined): string {
  return [
    `curl ${method === "GET" ? "" : method === "HEAD" ? "-I " : `-X ${method} `}${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(" \\\n  ");
}
