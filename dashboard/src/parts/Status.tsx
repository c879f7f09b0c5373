const TONES: Record<string, string> = {
  COMPLETED: "good",
  RESOLVED: "good",
  DELIVERED: "good",
  SENT: "good",
  SUCCEEDED: "good",
  active: "good",
  Published: "good",
  FAILED: "bad",
  REJECTED: "bad",
  TERMINATED: "bad",
  GAVE_UP: "bad",
  revoked: "bad",
  expired: "bad",
  "Needs work": "bad",
  RUNNING: "busy",
  PROCESSING: "busy",
  IN_PROGRESS: "busy",
  PENDING: "",
  PAUSED: "wait",
  WAITING: "wait",
  OPEN: "wait",
  RETRYING: "wait",
  KEPT: "wait",
  UNCERTAIN: "wait",
  SENDING: "busy",
  READY: "good",
  invited: "wait",
  Draft: "wait",
};

/** "IN_PROGRESS" as "In progress", with a colour; the word alone tells it too. */
export function Status({ of }: { of: string }) {
  const words = of.replaceAll("_", " ").toLowerCase();
  return (
    <span className="status" data-tone={TONES[of] ?? ""} data-status={of}>
      {words.charAt(0).toUpperCase() + words.slice(1)}
    </span>
  );
}
