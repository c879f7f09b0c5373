/** Nouns for actions, which the API names `kind.verb` after its paths. */
const KINDS: Record<string, string> = {
  "api-keys": "API key",
  "code-artifacts": "code",
  conversations: "conversation",
  "conversations.messages": "message",
  "data-lakes": "data set",
  instances: "run",
  members: "member",
  organization: "organization",
  teams: "team",
  "teams.members": "team member",
  tickets: "ticket",
  "tool-providers": "tool provider",
  tools: "tool",
  "webhook-deliveries": "webhook delivery",
  "webhook-endpoints": "webhook endpoint",
  "webhook-secret": "signing secret",
  workflows: "agent",
};

const VERBS: Record<string, string> = {
  create: "Created",
  update: "Updated",
  delete: "Deleted",
  "dry-run": "Tested",
  "test-run": "Tested",
  cancel: "Cancelled",
  claim: "Claimed",
  comment: "Commented on",
  complete: "Completed",
  import: "Imported",
  pause: "Paused",
  publish: "Published",
  reassign: "Reassigned",
  refresh: "Refreshed",
  reject: "Rejected",
  release: "Released",
  replay: "Resent",
  resume: "Resumed",
  retry: "Retried",
  rotate: "Rotated",
  terminate: "Terminated",
  try: "Tried",
};

/** Actions that a verb and a noun would describe badly. */
const SPECIAL: Record<string, string> = {
  "api-keys.delete": "Revoked API key",
  "invitations.accept": "Accepted invitation",
  "members.create": "Invited member",
  "members.delete": "Removed member",
  "members.register": "Registered with OpenID Connect",
  "members.reset-link": "Created password reset link",
  "members.reset-password": "Reset password",
  "members.replace": "Removed member: email verified by another account",
  "teams.members.update": "Added team member",
  "teams.members.delete": "Removed team member",
};

/** Formats `api-keys.create` as "Created API key". Unknown actions stay as they are. */
export function describeAction(action: string): string {
  const dot = action.lastIndexOf(".");
  const kind = KINDS[action.slice(0, dot)];
  const verb = VERBS[action.slice(dot + 1)];
  return SPECIAL[action] ?? (kind && verb ? `${verb} ${kind}` : action);
}

/** Suggestions for the filter, which accepts any text. */
export const ACTIONS = [
  "api-keys.create",
  "api-keys.delete",
  "code-artifacts.create",
  "code-artifacts.update",
  "code-artifacts.delete",
  "data-lakes.create",
  "data-lakes.delete",
  "data-lakes.refresh",
  "instances.cancel",
  "instances.retry",
  "instances.terminate",
  "invitations.accept",
  "members.create",
  "members.update",
  "members.delete",
  "members.register",
  "members.reset-link",
  "members.reset-password",
  "members.replace",
  "organization.update",
  "teams.create",
  "teams.update",
  "teams.delete",
  "teams.members.update",
  "teams.members.delete",
  "tickets.claim",
  "tickets.complete",
  "tickets.reassign",
  "tickets.reject",
  "tool-providers.create",
  "tool-providers.delete",
  "webhook-endpoints.create",
  "webhook-endpoints.delete",
  "webhook-secret.rotate",
  "workflows.create",
  "workflows.update",
  "workflows.publish",
  "workflows.delete",
];
