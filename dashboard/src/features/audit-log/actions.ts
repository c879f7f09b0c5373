/** What things are called; the service tells actions as `kind.verb` by its addresses. */
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
  "teams.members": "member of a team",
  tickets: "ticket",
  "tool-providers": "tool provider",
  tools: "tool",
  "webhook-deliveries": "webhook delivery",
  "webhook-endpoints": "webhook endpoint",
  "webhook-secret": "webhook secret",
  workflows: "agent",
};

const VERBS: Record<string, string> = {
  create: "Made",
  update: "Changed",
  delete: "Removed",
  "dry-run": "Tried",
  "test-run": "Tested",
  cancel: "Cancelled",
  claim: "Claimed",
  comment: "Commented",
  complete: "Completed",
  import: "Imported",
  pause: "Paused",
  publish: "Published",
  reassign: "Reassigned",
  refresh: "Refreshed",
  reject: "Rejected",
  release: "Released",
  replay: "Sent again",
  resume: "Resumed",
  retry: "Retried",
  rotate: "Made anew",
  terminate: "Terminated",
  try: "Tried",
};

/** Actions that the general rule would put badly. */
const WORDS: Record<string, string> = {
  "members.create": "Invited member",
  "members.register": "Registered by OpenID Connect",
  "members.replace": "Lost member: address proven by its owner",
  "invitations.accept": "Accepted invitation",
};

/** `api-keys.create` as "Made API key"; what is new stays as the service tells it. */
export function inWords(action: string): string {
  const dot = action.lastIndexOf(".");
  const kind = KINDS[action.slice(0, dot)];
  const verb = VERBS[action.slice(dot + 1)];
  return WORDS[action] ?? (kind && verb ? `${verb} ${kind}` : action);
}

/** Those to choose from; any other may be typed. */
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
  "members.replace",
  "organization.update",
  "teams.create",
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
