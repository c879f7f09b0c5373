const KEY = "parley.organization";

/** The organization last visited in this browser. */
export function lastOrganization(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function rememberOrganization(orgId: string) {
  try {
    localStorage.setItem(KEY, orgId);
  } catch {
    // Storage may be disabled; the first organization opens instead.
  }
}
