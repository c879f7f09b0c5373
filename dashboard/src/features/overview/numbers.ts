const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const LONG = 100_000;

/** A count; from a hundred thousand on as "120K". */
export function amount(value: number): string {
  return (value < LONG ? whole : short).format(value);
}

/** Cost is counted in millionths; which currency it is, the price settings say. */
export function cost(micros: number): string {
  const value = micros / 1_000_000;
  return value.toLocaleString(undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: value < 1 ? 4 : 2,
  });
}
