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
  "Address not proven": "wait",
  Draft: "wait",
};

/** The colour that goes with a status; "" for none. */
export const toneOf = (status: string) => TONES[status] ?? "";

/** "IN_PROGRESS" as "In progress". */
export function wordsOf(status: string): string {
  const words = status.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A status in words, with a colour; the words alone tell it too. */
export function Status({ of }: { of: string }) {
  return (
    <span className="status" data-tone={toneOf(of)} data-status={of}>
      {wordsOf(of)}
    </span>
  );
}
