/** How calls to a provider authenticate. */
export type CredentialMethod = "keep" | "none" | "bearer" | "basic" | "key";

export interface TypedHeader {
  /** The React key of the row. */
  row: number;
  name: string;
  value: string;
}

/** Named like the fields of the API. */
export interface TypedCredentials {
  method: CredentialMethod;
  bearer_token: string;
  username: string;
  password: string;
  api_key: string;
  api_key_name: string;
  api_key_in: string | null;
  headers: TypedHeader[];
}

export const NO_CREDENTIALS: TypedCredentials = {
  method: "none",
  bearer_token: "",
  username: "",
  password: "",
  api_key: "",
  api_key_name: "",
  api_key_in: null,
  headers: [],
};

const NAMES: Record<string, string> = {
  bearer_token: "bearer token",
  username: "username",
  password: "password",
  api_key: "API key",
};

/** The stored credentials, such as "API key, header X-Tenant"; values are never shown. */
export const credentialNames = (stored: string[]) =>
  stored.map((name) => NAMES[name] ?? name.replace("headers.", "header ")).join(", ");

/**
 * The credentials for the API: those of the selected method and all named headers; null if there are none, or if the
 * stored ones stay.
 */
export function toCredentials(typed: TypedCredentials): Record<string, unknown> | null {
  if (typed.method === "keep") {
    return null;
  }
  const named = typed.headers.filter((each) => each.name.trim() !== "");
  const set = {
    ...(typed.method === "bearer" ? { bearer_token: typed.bearer_token } : {}),
    ...(typed.method === "basic" ? { username: typed.username, password: typed.password } : {}),
    ...(typed.method === "key"
      ? {
          api_key: typed.api_key,
          ...(typed.api_key_name.trim() ? { api_key_name: typed.api_key_name.trim() } : {}),
          ...(typed.api_key_in ? { api_key_in: typed.api_key_in } : {}),
        }
      : {}),
    ...(named.length > 0
      ? { headers: Object.fromEntries(named.map((each) => [each.name.trim(), each.value])) }
      : {}),
  };
  return Object.keys(set).length > 0 ? set : null;
}
