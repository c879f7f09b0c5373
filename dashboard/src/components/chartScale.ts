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

/** The values of the grid lines. Counts up to 1 have no line in the middle. */
export function gridLines(top: number): number[] {
  return top <= 1 ? [0, top] : [0, top / 2, top];
}
