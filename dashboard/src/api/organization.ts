import { useParams } from "react-router";
import type { Schemas } from "./client";
import { useMe, useMembers, useWorkflows } from "./queries";

export type Role = "owner" | "admin" | "member";

/** The organization that the address names. */
export function useOrganizationId(): string {
  const { orgId } = useParams();
  if (!orgId) {
    throw new Error("This page stands under /organizations/:orgId");
  }
  return orgId;
}

/** The signed-in person's role; undefined for an operator who is no member. */
function useRole(): string | undefined {
  const orgId = useOrganizationId();
  const { data: me } = useMe();
  return me?.organizations.find((each) => each.id === orgId)?.role;
}

/** Whether the signed-in person manages the organization. The service checks it too; this only spares dead ends. */
export function useIsAdmin(): boolean {
  const role = useRole();
  return role === "owner" || role === "admin";
}

/** Operators see every organization, and enter those alone that they are members of. */
export function useIsMember(): boolean {
  return useRole() !== undefined;
}

/** A member's name; dots as long as the members are not known. */
export function personIn(members: Schemas["Member"][] | undefined, id: string | undefined): string {
  return members ? (members.find((each) => each.id === id)?.name ?? "somebody who left") : "…";
}

/** Turns "user:0192…" and its like into names. */
export function useActorName(): (actor: string | null | undefined) => string {
  const orgId = useOrganizationId();
  const { data: members } = useMembers(orgId);
  const { data: workflows } = useWorkflows(orgId);
  const { data: me } = useMe();
  return (actor) => {
    if (!actor) {
      return "nobody";
    }
    const [kind, id = kind] = actor.split(":");
    switch (kind) {
      case "system":
        return "the service";
      case "api_key":
        return "an API key";
      case "message":
        return "a message";
      case "agent":
        return workflows?.find((each) => each.id === id)?.name ?? "agent";
      default:
        return id === me?.id ? "you" : personIn(members, id);
    }
  };
}
