/** The grid lines of a chart's vertical axis, the last one at or above the highest value. */
export interface ChartScale {
  step: number;
  lines: number[];
}

/** More lines would be too close to each other. */
const MAX_STEPS = 5;

function scaleOf(value: number, step: number): ChartScale {
  const count = Math.max(1, Math.ceil(value / step));
  return { step, lines: Array.from({ length: count + 1 }, (_, at) => at * step) };
}

/** Steps of whole numbers. One step at least, so that an empty chart has an axis. */
export function countScale(value: number): ChartScale {
  const rough = value / MAX_STEPS;
  if (!(rough > 1)) {
    return scaleOf(value || 0, 1);
  }
  const power = 10 ** Math.floor(Math.log10(rough));
  // A quarter of 10 is not a whole number.
  const factors = power === 1 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10];
  return scaleOf(value, (factors.find((each) => each * power >= rough) ?? 10) * power);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DURATION_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((each) => each * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * MINUTE),
  ...[1, 2, 3, 6, 12].map((each) => each * HOUR),
];

/** Steps of round durations, in milliseconds. */
export function durationScale(milliseconds: number): ChartScale {
  const rough = milliseconds / MAX_STEPS;
  if (!(rough > SECOND / 2)) {
    return countScale(milliseconds);
  }
  const step = DURATION_STEPS.find((each) => each >= rough) ?? countScale(milliseconds / HOUR).step * HOUR;
  return scaleOf(milliseconds, step);
}

/** Formats a duration of a grid line in the unit of the step, such as "90 min" for steps of 30 minutes. */
export function formatRoundDuration(milliseconds: number, step: number): string {
  if (milliseconds === 0) {
    return "0";
  }
  if (step < SECOND) {
    return `${milliseconds} ms`;
  }
  return step < MINUTE
    ? `${milliseconds / SECOND} s`
    : step < HOUR
      ? `${milliseconds / MINUTE} min`
      : `${milliseconds / HOUR} h`;
}
