import type { Schemas } from "../../api";
import { capitalized } from "../../components/capitalized";

/** Nouns for actions, which the API names `kind.verb` after its paths. */
const KINDS: Record<string, string> = {
  "api-keys": "API key",
  budgets: "budget",
  "code-artifacts": "code",
  conversations: "conversation",
  "data-lakes": "data set",
  emails: "email",
  instances: "run",
  media: "file",
  members: "member",
  "model-providers": "model provider",
  models: "model",
  organization: "organization",
  teams: "team",
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
  ping: "Sent test event to",
  replay: "Resent",
  rerun: "Reran",
  resend: "Resent",
  resume: "Resumed",
  retry: "Retried",
  roll: "Rolled",
  rotate: "Rotated",
  "take-over": "Took over",
  terminate: "Terminated",
  test: "Tested",
  try: "Tried",
};

/** Actions that a verb and a noun would describe badly. */
const SPECIAL: Record<string, string> = {
  "api-keys.delete": "Revoked API key",
  "webhook-endpoints.replay-failed": "Resent failed deliveries of webhook endpoint",
  "conversations.create": "Started conversation",
  "conversations.update": "Renamed conversation",
  "conversations.stop": "Stopped a reply in conversation",
  "conversations.messages.create": "Sent message in",
  "invitations.accept": "Accepted invitation",
  "media.presigned-url": "Uploaded file",
  "data-lakes.replace": "Replaced rows of data set",
  "data-lakes.update": "Renamed data set",
  "data-lakes.upload": "Started upload of data set",
  "members.create": "Invited member",
  "members.update": "Changed role",
  "members.delete": "Removed member",
  "members.reinvite": "Invited again",
  "members.register": "Registered with OpenID Connect",
  "members.reset-link": "Created password reset link",
  "members.reset-password": "Reset password",
  "members.replace": "Removed member: email verified by another account",
  "teams.members.update": "Added team member",
  "teams.members.delete": "Removed team member",
  "teams.update": "Renamed team",
  "workflows.update": "Saved agent",
};

const COMMON = ["create", "update", "delete"];

const VERBS_OF: Record<string, string[]> = {
  workflows: [...COMMON, "publish", "test-run"],
  instances: ["cancel", "pause", "resume", "rerun", "retry", "terminate"],
  tickets: ["claim", "comment", "complete", "reassign", "reject", "release", "retry", "take-over"],
  conversations: ["create", "update", "stop", "messages.create"],
  "api-keys": [...COMMON, "roll"],
  members: [...COMMON, "reinvite", "register", "reset-link", "reset-password", "replace"],
  invitations: ["accept"],
  teams: [...COMMON, "members.update", "members.delete"],
  budgets: COMMON,
  "code-artifacts": [...COMMON, "dry-run"],
  "data-lakes": [...COMMON, "upload", "import", "refresh", "replace"],
  "model-providers": COMMON,
  models: [...COMMON, "test"],
  "tool-providers": [...COMMON, "refresh"],
  tools: ["try"],
  media: ["presigned-url"],
  "webhook-endpoints": [...COMMON, "ping", "replay-failed"],
  "webhook-deliveries": ["replay"],
  "webhook-secret": ["rotate"],
  emails: ["resend"],
  organization: ["create", "update"],
};

/** Formats `api-keys.create` as "Created API key". Unknown actions stay as they are. */
export function describeAction(action: string): string {
  const dot = action.lastIndexOf(".");
  const kind = KINDS[action.slice(0, dot)];
  const verb = VERBS[action.slice(dot + 1)];
  return SPECIAL[action] ?? (kind && verb ? `${verb} ${kind}` : action);
}

/** Describes an entry. Some actions are described by the fields that changed. */
export function describeEntry({ action, changes }: Schemas["AuditEntry"]): string {
  const revoked =
    action === "members.delete" &&
    changes.some(({ field, before }) => field === "status" && before === "invited");
  return revoked ? "Revoked invitation" : describeAction(action);
}

/** The actions by kind, for a select. */
export function actionOptions(selected: string | undefined) {
  const groups = Object.entries(VERBS_OF).map(([kind, verbs]) => ({
    group: groupName(kind),
    items: [
      ...(verbs.length > 1 ? [{ value: kind, label: `All ${KINDS[kind] ?? kind} actions` }] : []),
      ...verbs.map((verb) => `${kind}.${verb}`).map((value) => ({ value, label: describeAction(value) })),
    ],
  }));
  const isKnown =
    selected === undefined || groups.some(({ items }) => items.some(({ value }) => value === selected));
  return isKnown
    ? groups
    : [...groups, { group: "Other", items: [{ value: selected, label: describeAction(selected) }] }];
}

function groupName(kind: string): string {
  const name = KINDS[kind] ?? kind;
  return capitalized(name);
}
