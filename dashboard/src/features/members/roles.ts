import { useIsOwner, type Role } from "../../api";
import { optionsOf } from "../../components/optionsOf";

const ROLES = optionsOf<Role>({ owner: "Owner", admin: "Admin", member: "Member" });

/** The roles to give. Only owners add, change and remove owners. */
export function useRoles() {
  const isOwner = useIsOwner();
  return ROLES.map((role) => ({ ...role, disabled: role.value === "owner" && !isOwner }));
}

/** The permissions of each role in one line. */
export const ROLE_HINTS: Record<Role, string> = {
  owner: "Can do everything, including managing owners and deleting the organization.",
  admin: "Can see all tickets and manage members, teams, API keys, webhooks, tools, code and data.",
  member: "Can use agents, runs and conversations, and answer tickets of their own and their teams.",
};
