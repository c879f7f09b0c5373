const STEPS = [1, 2, 4, 5, 10];

/** The smallest round number that is not below the value; 1 at least, so that an empty chart has an axis. */
export function niceTop(value: number): number {
  if (!(value > 1)) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * power >= value) ?? 10) * power;
}

/** Where lines stand: nothing, half, all; no half where only whole numbers can be. */
export function ticks(top: number): number[] {
  return top <= 1 ? [0, top] : [0, top / 2, top];
}
