/** Beyond this, a percentage says less than a factor. */
const MAX_PERCENT = 500;

interface Change {
  text: string;
  tone: "good" | "bad" | "neutral";
}

/**
 * Describes a change from the period before, such as "+12%"; null if there is nothing to compare.
 *
 * @param better the direction that is good news, for a number that has one
 */
export function change(now: number | null, before: number | null, better?: "more" | "less"): Change | null {
  if (now === null) {
    return null;
  }
  if (before === null) {
    return { text: "None before", tone: "neutral" };
  }
  const text = before === 0 ? "0 before" : ratio(now, before);
  if (better === undefined || now === before) {
    return { text, tone: "neutral" };
  }
  return { text, tone: now > before === (better === "more") ? "good" : "bad" };
}

/** Formats "+12%", "−40%" or "×8". */
function ratio(now: number, before: number): string {
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) {
    return "No change";
  }
  if (percent > MAX_PERCENT) {
    return `×${Math.round(now / before)}`;
  }
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent)}%`;
}
