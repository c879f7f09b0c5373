import { useApiKeyNames, useIsAdmin, useMe, useMembers, useWorkflowNames, type Schemas } from "../api";
import { usePrinting } from "./usePrinting";

/** A member's name; an ellipsis until the members are loaded. */
export function memberName(members: Schemas["Member"][] | undefined, id: string | undefined): string {
  return members ? (members.find((each) => each.id === id)?.name ?? "a former member") : "…";
}

/** Formats actors such as "user:0192…" as names. Members who may not list API keys see no names of keys. */
export function useActorName(): (actor: string | null | undefined) => string {
  const { data: members } = useMembers();
  const { data: agents } = useWorkflowNames();
  const { data: keys } = useApiKeyNames({ enabled: useIsAdmin() });
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
