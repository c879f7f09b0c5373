import { capitalized } from "./capitalized";

/** Other statuses have no color: "enabled" and "Published" say nothing about how runs or deliveries end. */
const STATUSES = {
  good: ["COMPLETED", "RESOLVED", "DELIVERED", "SENT", "SUCCEEDED", "READY", "active", "Live", "Connected"],
  bad: ["FAILED", "REJECTED", "TERMINATED", "revoked", "expired", "Needs work"],
  busy: ["RUNNING", "PROCESSING", "IN_PROGRESS", "SENDING"],
  wait: [
    "PAUSED",
    "WAITING",
    "SUSPENDED",
    "OPEN",
    "RETRYING",
    "KEPT",
    "UNCERTAIN",
    "FAILED_IGNORED",
    "replaced",
    "invited",
    "Not connected",
    "Draft",
  ],
};
const TONES = new Map(
  Object.entries(STATUSES).flatMap(([tone, statuses]) => statuses.map((status) => [status, tone] as const)),
);

/** The color of a status; empty for none. */
export const statusTone = (status: string) => TONES.get(status) ?? "";

const LABELS: Record<string, string> = {
  KEPT: "Not sent",
  FAILED_IGNORED: "Failed, ignored",
};

/** Formats "IN_PROGRESS" as "In progress". */
export function statusText(status: string): string {
  const label = LABELS[status];
  if (label) {
    return label;
  }
  const words = status.replaceAll("_", " ").toLowerCase();
  return capitalized(words);
}

interface Props {
  status: string;
  /** The number of things with this status. */
  count?: number;
  /** A tooltip. */
  title?: string;
}

/** A status as text and color; the text alone is enough. */
export function StatusLabel({ status, count, title }: Props) {
  return (
    <span className="status" data-tone={statusTone(status)} data-status={status} title={title}>
      {count !== undefined && `${count} `}
      {statusText(status)}
    </span>
  );
}
