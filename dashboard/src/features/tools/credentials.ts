/** How a provider learns who calls. */
export type Way = "none" | "bearer" | "basic" | "key";

export interface TypedHeader {
  /** Only to tell rows apart. */
  row: number;
  name: string;
  value: string;
}

export interface TypedCredentials {
  way: Way;
  token: string;
  username: string;
  password: string;
  key: string;
  keyName: string;
  keyIn: string | null;
  headers: TypedHeader[];
}

export const NO_CREDENTIALS: TypedCredentials = {
  way: "none",
  token: "",
  username: "",
  password: "",
  key: "",
  keyName: "",
  keyIn: null,
  headers: [],
};

/** What goes to the service: only the chosen way, and headers with a name; null when nothing is set. */
export function asCredentials(typed: TypedCredentials): Record<string, unknown> | null {
  const named = typed.headers.filter((each) => each.name.trim() !== "");
  const set = {
    ...(typed.way === "bearer" ? { bearer_token: typed.token } : {}),
    ...(typed.way === "basic" ? { username: typed.username, password: typed.password } : {}),
    ...(typed.way === "key"
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
