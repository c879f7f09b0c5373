/** Beyond this, a percentage says less than a factor. */
const MAX_PERCENT = 500;

/** Formats a change such as "+12%", "−40%" or "×8"; null if there is nothing to compare with. */
export function change(now: number | null, before: number | null): string | null {
  if (now === null || !before) {
    return null;
  }
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) {
    return "No change";
  }
  if (percent > MAX_PERCENT) {
    return `×${Math.round(now / before)}`;
  }
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent)}%`;
}
