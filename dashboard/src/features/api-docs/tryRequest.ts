import { parsedJson } from "../../components/json";
import type { Operation } from "./developerApi";
import { variableIn } from "./samples";

/** The parameters by place and name, as `path/workflow_id`. */
export type Values = Record<string, string>;

interface Prepared {
  url: string;
  init: RequestInit;
}

export const valueKey = ({ in: place, name }: Operation["parameters"][number]) => `${place}/${name}`;

/** The request to this service; a sentence if it cannot be sent. */
export function prepare(
  operation: Operation,
  { key, values, body }: { key: string; values: Values; body: string | undefined },
): Prepared | string {
  const { method, path, parameters, needsKey } = operation;
  const valueOf = (each: Operation["parameters"][number]) => (values[valueKey(each)] ?? "").trim();
  const missing = parameters.find((each) => (each.required || each.in === "path") && valueOf(each) === "");
  if (needsKey && key === "") {
    return "Enter your API key.";
  }
  if (missing) {
    return `Enter a value for ${missing.name}.`;
  }
  if (body !== undefined && body.trim() !== "" && parsedJson(body) === undefined) {
    return "The body isn’t valid JSON.";
  }
  const variable = body && variableIn(body);
  if (variable) {
    return `Replace $${variable} in the body.`;
  }
  const query = new URLSearchParams();
  const headers: Record<string, string> = needsKey ? { Authorization: `Bearer ${key}` } : {};
  let address = path;
  for (const each of parameters) {
    const value = valueOf(each);
    if (each.in === "path") {
      // A file's path keeps its slashes.
      const encoded = value.split("/").map(encodeURIComponent).join("/");
      address = address.replace(`{${each.name}}`, each.name === "path" ? encoded : encodeURIComponent(value));
    } else if (value !== "" && each.in === "query") {
      query.append(each.name, value);
    } else if (value !== "") {
      headers[each.name] = value;
    }
  }
  const hasBody = body !== undefined && body.trim() !== "";
  if (hasBody) {
    headers["Content-Type"] = "application/json";
  }
  return {
    url: query.size > 0 ? `${address}?${query}` : address,
    init: { method, headers, body: hasBody ? body : undefined, credentials: "omit", redirect: "manual" },
  };
}

/** The ID of the object in a response. */
export function idIn(text: string): string | undefined {
  const { id } = (parsedJson(text) ?? {}) as { id?: unknown };
  return typeof id === "string" ? id : undefined;
}
