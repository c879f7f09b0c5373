const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

export interface DueText {
  text: string;
  overdue: boolean;
}

/**
 * Formats a duration in its largest unit, such as "3 hr" or "2 days", in the language of the sentences around it.
 *
 * @param round whole units; a deadline is rounded to the nearest one
 */
export function spanText(milliseconds: number, round: (units: number) => number = Math.floor): string {
  const seconds = Math.abs(milliseconds) / 1000;
  const [unit, size] = STEPS.find(([, each]) => seconds >= each) ?? ["minute", 60];
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "short" }).format(
    Math.max(1, round(seconds / size)),
  );
}

/** Formats a due date relative to now: "Due in 3 hr", "Overdue by 2 days"; a done ticket is not overdue. */
export function dueText(dueAt: string, now: number, done: boolean, locale?: string): DueText {
  const left = Date.parse(dueAt) - now;
  if (done) {
    const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(new Date(dueAt));
    return { text: `Due ${date}`, overdue: false };
  }
  return left < 0
    ? { text: `Overdue by ${spanText(left)}`, overdue: true }
    : { text: `Due in ${spanText(left, Math.round)}`, overdue: false };
}
