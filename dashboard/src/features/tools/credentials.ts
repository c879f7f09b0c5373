/** How calls to a provider authenticate. */
export type CredentialMethod = "none" | "bearer" | "basic" | "key";

export interface TypedHeader {
  /** The React key of the row. */
  row: number;
  name: string;
  value: string;
}

export interface TypedCredentials {
  method: CredentialMethod;
  token: string;
  username: string;
  password: string;
  key: string;
  keyName: string;
  keyIn: string | null;
  headers: TypedHeader[];
}

export const NO_CREDENTIALS: TypedCredentials = {
  method: "none",
  token: "",
  username: "",
  password: "",
  key: "",
  keyName: "",
  keyIn: null,
  headers: [],
};

/** The credentials for the API: those of the selected method and all named headers; null if there are none. */
export function toCredentials(typed: TypedCredentials): Record<string, unknown> | null {
  const named = typed.headers.filter((each) => each.name.trim() !== "");
  const set = {
    ...(typed.method === "bearer" ? { bearer_token: typed.token } : {}),
    ...(typed.method === "basic" ? { username: typed.username, password: typed.password } : {}),
    ...(typed.method === "key"
      ? {
          api_key: typed.key,
          ...(typed.keyName.trim() ? { api_key_name: typed.keyName.trim() } : {}),
          ...(typed.keyIn ? { api_key_in: typed.keyIn } : {}),
        }
      : {}),
    ...(named.length > 0
      ? { headers: Object.fromEntries(named.map((each) => [each.name.trim(), each.value])) }
      : {}),
  };
  return Object.keys(set).length > 0 ? set : null;
}
