import { capitalized } from "./capitalized";

const TONES: Record<string, string> = {
  COMPLETED: "good",
  RESOLVED: "good",
  DELIVERED: "good",
  SENT: "good",
  SUCCEEDED: "good",
  active: "good",
  Live: "good",
  // Says nothing about how its runs or deliveries end.
  enabled: "",
  Published: "",
  FAILED: "bad",
  FAILED_IGNORED: "wait",
  REJECTED: "bad",
  TERMINATED: "bad",
  revoked: "bad",
  expired: "bad",
  replaced: "wait",
  "Needs work": "bad",
  RUNNING: "busy",
  PROCESSING: "busy",
  IN_PROGRESS: "busy",
  PENDING: "",
  REUSED: "",
  PAUSED: "wait",
  WAITING: "wait",
  SUSPENDED: "wait",
  OPEN: "wait",
  RETRYING: "wait",
  KEPT: "wait",
  UNCERTAIN: "wait",
  SENDING: "busy",
  READY: "good",
  invited: "wait",
  Connected: "good",
  "Not connected": "wait",
  Draft: "wait",
};

/** The color of a status; empty for none. */
export const statusTone = (status: string) => TONES[status] ?? "";

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
