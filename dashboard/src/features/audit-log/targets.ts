import type { Schemas } from "../../api";
import { firstLine } from "../conversations/chatMessages";

/** Pages by the kind of the target, below the organization's path. */
const PATHS: Record<string, (id: string, name: string) => string> = {
  "api-keys": (_, name) => `api-access?inactive=true&search=${encodeURIComponent(name)}`,
  budgets: () => "usage",
  "code-artifacts": (id) => `code/${id}`,
  conversations: (id) => `conversations/${id}`,
  "conversations.messages": (id) => `conversations/${id}`,
  "data-lakes": (id) => `data/${id}`,
  emails: (id) => `emails/${id}`,
  instances: (id) => `runs/${id}`,
  invitations: (_, name) => `members?search=${encodeURIComponent(name)}`,
  members: (_, name) => `members?search=${encodeURIComponent(name)}`,
  "model-providers": () => "models",
  models: () => "models",
  organization: () => "settings",
  teams: (id) => `teams/${id}`,
  "teams.members": (_, name) => `members?search=${encodeURIComponent(name)}`,
  tickets: (id) => `tickets/${id}`,
  "tool-providers": () => "tools",
  tools: (id) => `tools/${id}`,
  "webhook-deliveries": (id) => `webhooks/deliveries/${id}`,
  "webhook-endpoints": (id) => `webhooks/endpoints/${id}`,
  workflows: (id) => `agents/${id}`,
};

/** The page of an entry's target; undefined if there is none or the target was deleted. */
export function targetPath(orgId: string, entry: Schemas["AuditEntry"]): string | undefined {
  const path = PATHS[entry.action.slice(0, entry.action.lastIndexOf("."))];
  return path && entry.target && entry.target_exists
    ? `/organizations/${orgId}/${path(entry.target, entry.target_name ?? "")}`
    : undefined;
}

/** The name of an entry's target, or else its ID. Conversations can be named by their first message, with Markdown. */
export function targetName({ action, target, target_name: name }: Schemas["AuditEntry"]): string | null {
  return (action.startsWith("conversations.") && firstLine(name)) || (name ?? target);
}
