import { useMe } from "./account";
import { useOrganizationId } from "./hooks";

/** The signed-in user's role; undefined for an operator who is not a member. */
function useRole(): string | undefined {
  const orgId = useOrganizationId();
  const { data: me } = useMe();
  return me?.organizations.find((each) => each.id === orgId)?.role;
}

/** Whether the signed-in user may manage the organization. Only hides controls; the server enforces roles. */
export function useIsAdmin(): boolean {
  const role = useRole();
  return role === "owner" || role === "admin";
}

/** Whether the signed-in user is an owner, who alone may manage owners. */
export function useIsOwner(): boolean {
  return useRole() === "owner";
}

/** Whether the signed-in user is a member; operators can open organizations without being one. */
export function useIsMember(): boolean {
  return useRole() !== undefined;
}
