import type { Schemas } from "../../api";
import { statusText } from "../../components/StatusLabel";
import { formatDateTime } from "../../components/Time";
import { formatName } from "../data-lakes/formats";
import { statusName } from "../tickets/ticketState";
import { KIND_LABELS } from "../tools/providerKinds";
import { capitalized } from "../../components/capitalized";

const LABELS: Record<string, string> = {
  draft: "Draft revision",
  events: "Events",
  expires_at: "Expires",
  own_secret: "Own signing secret",
  rows: "Rows",
  server_url: "Server URL",
  state: "Status",
  url: "URL",
};

/** Texts for a field without a value, where "none" would be wrong. */
const EMPTY: Record<string, string> = {
  messages_per_minute: "default",
  expires_at: "never",
  published_version: "not published",
};

/** Formats "claimed_by" as "Claimed by". */
export function fieldLabel(field: string): string {
  const words = field.replaceAll("_", " ");
  return LABELS[field] ?? capitalized(words);
}

function formatValue(action: string, field: string, value: string | null): string {
  if (value === null) {
    return EMPTY[field] ?? "none";
  }
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) {
    return formatDateTime(value);
  }
  if (value === "true" || value === "false") {
    return value === "true" ? "Yes" : "No";
  }
  switch (field) {
    case "status":
      return action.startsWith("tickets.") ? (statusName(value) ?? statusText(value)) : statusText(value);
    case "state":
    case "priority":
    case "role":
      return statusText(value);
    case "format":
      return formatName(value);
    case "kind":
      return KIND_LABELS[value as keyof typeof KIND_LABELS] ?? value;
    case "language":
      return value === "python" ? "Python" : value === "javascript" ? "JavaScript" : value;
    case "rows":
      return Number(value).toLocaleString();
    default:
      return value;
  }
}

/** Whether the entry is about a new or deleted resource, whose fields are listed without a second value. */
const hasOneSide = ({ action }: Schemas["AuditEntry"]) => /\.(create|delete|accept|register)$/.test(action);

/** A value in the table of changes; empty before a creation and after a deletion. */
export const formatSide = (entry: Schemas["AuditEntry"], field: string, value: string | null) =>
  value === null && hasOneSide(entry) ? "–" : formatValue(entry.action, field, value);

/** The changes in one line. */
export function summarizeChanges(entry: Schemas["AuditEntry"]): string {
  return entry.changes
    .map(({ field, before, after }) =>
      hasOneSide(entry)
        ? `${fieldLabel(field)}: ${formatValue(entry.action, field, after ?? before)}`
        : `${fieldLabel(field)}: ${formatValue(entry.action, field, before)} → ${formatValue(entry.action, field, after)}`,
    )
    .join(" · ");
}
