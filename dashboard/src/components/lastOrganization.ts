import { useMe } from "../api";

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

/** The user's organization visited last, or else the first. */
export function useHomeOrganization(): { id: string; name: string } | undefined {
  const { data: me } = useMe();
  const organizations = me?.organizations ?? [];
  return organizations.find((each) => each.id === lastOrganization()) ?? organizations[0];
}
