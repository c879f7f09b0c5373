const KEY = "parley.organization";

/** The organization that this browser showed last. */
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
    // Storage may be switched off; then the first organization is the start page.
  }
}
