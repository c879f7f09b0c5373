import { capitalized } from "./capitalized";

const TONES: Record<string, string> = {
  COMPLETED: "good",
  RESOLVED: "good",
  DELIVERED: "good",
  SENT: "good",
  SUCCEEDED: "good",
  active: "good",
  enabled: "good",
  Published: "good",
  Live: "good",
  FAILED: "bad",
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
}

/** A status as text and color; the text alone is enough. */
export function StatusLabel({ status, count }: Props) {
  return (
    <span className="status" data-tone={statusTone(status)} data-status={status}>
      {count !== undefined && `${count} `}
      {statusText(status)}
    </span>
  );
}
