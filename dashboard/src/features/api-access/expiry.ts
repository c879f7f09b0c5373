const DAY_MS = 86_400_000;

export const EXPIRY_PRESETS = [
  { value: "never", label: "No expiration" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "custom", label: "Custom date…" },
];

export interface Expiry {
  /** A value of {@link EXPIRY_PRESETS}. */
  expiry: string;
  /** The local date and time of a custom expiration; the name is that of the request's field. */
  expires_at: string;
}

/** The time of the API; null for a key that never expires. */
export function expiryTime({ expiry, expires_at }: Expiry, now = Date.now()): string | null {
  if (expiry === "never") {
    return null;
  }
  if (expiry === "custom") {
    return expires_at === "" ? null : new Date(expires_at).toISOString();
  }
  return new Date(now + Number(expiry) * DAY_MS).toISOString();
}

/** The preset with the lifetime of an existing key, for its replacement; 90 days if no preset has it. */
export function presetOf(props: { created_at: string; expires_at: string | null }): string {
  const { created_at, expires_at } = props;
  if (expires_at === null) {
    return "never";
  }
  const days = Math.round((Date.parse(expires_at) - Date.parse(created_at)) / DAY_MS);
  return EXPIRY_PRESETS.some(({ value }) => value === String(days)) ? String(days) : "90";
}
