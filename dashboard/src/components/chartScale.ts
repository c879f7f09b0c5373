/** Half of each is whole, so that counts have whole grid lines. */
const STEPS = [1, 2, 4, 6, 8, 10];

/** The smallest round number at or above the value. At least 1, so that an empty chart has an axis. */
export function roundUpToNice(value: number): number {
  if (!(value > 1)) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * power >= value) ?? 10) * power;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Half of each is round, too. */
const DURATIONS = [2 * MINUTE, 4 * MINUTE, 10 * MINUTE, 20 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 12 * HOUR];

/** The smallest round duration at or above the given one, in milliseconds. */
export function roundUpDuration(milliseconds: number): number {
  return milliseconds > MINUTE
    ? (DURATIONS.find((each) => each >= milliseconds) ?? roundUpToNice(milliseconds / HOUR) * HOUR)
    : roundUpToNice(milliseconds);
}

/** Formats a round duration without the smaller units, such as "5 min". */
export function formatRoundDuration(milliseconds: number): string {
  if (milliseconds < 1000) {
    return `${milliseconds} ms`;
  }
  return milliseconds < MINUTE
    ? `${milliseconds / 1000} s`
    : milliseconds < HOUR
      ? `${milliseconds / MINUTE} min`
      : `${milliseconds / HOUR} h`;
}

/** The values of the grid lines. Counts up to 1 have no line in the middle. */
export function gridLines(top: number): number[] {
  return top <= 1 ? [0, top] : [0, top / 2, top];
}
