import { createContext, useContext } from "react";
import { useParams } from "react-router";
import { usePrinting } from "../components/usePrinting";
import type { Schemas } from "./client";
import { useApiKeyNames, useMe, useMembers, useWorkflowNames } from "./queries";

export type Role = "owner" | "admin" | "member";

/** The organization of the frame around pages that belong to none, such as the account. */
export const FrameOrganization = createContext<string | undefined>(undefined);

/** The organization ID of the frame around a page that belongs to none, or else that in the URL. */
export function useOrganizationId(): string {
  const { orgId } = useParams();
  const ofFrame = useContext(FrameOrganization);
  const found = ofFrame ?? orgId;
  if (!found) {
    throw new Error("useOrganizationId needs a route below /organizations/:orgId");
  }
  return found;
}

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

/** A member's name; an ellipsis until the members are loaded. */
export function memberName(members: Schemas["Member"][] | undefined, id: string | undefined): string {
  return members ? (members.find((each) => each.id === id)?.name ?? "a former member") : "…";
}

/** Formats actors such as "user:0192…" as names. Members who may not list API keys see no names of keys. */
export function useActorName(): (actor: string | null | undefined) => string {
  const orgId = useOrganizationId();
  const { data: members } = useMembers(orgId);
  const { data: agents } = useWorkflowNames(orgId);
  const { data: keys } = useApiKeyNames(orgId, { enabled: useIsAdmin() });
  const { data: me } = useMe();
  // Readers of paper are not the person who printed it.
  const printing = usePrinting();
  return (actor) => {
    if (!actor) {
      return "unknown";
    }
    const [kind = "", id = kind] = actor.split(":");
    switch (kind) {
      case "system":
        return "Parley";
      case "api_key":
        return keys?.has(id) ? `API key “${keys.get(id)}”` : "an API key";
      case "message":
        return "a message";
      case "agent":
        return agents ? (agents.get(id) ?? "a deleted agent") : "…";
      default:
        return id === me?.id && !printing ? "you" : memberName(members, id);
    }
  };
}
