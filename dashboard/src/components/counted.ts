/** A number of things, such as "1 row" or "3,000 rows". */
export const counted = (count: number, thing: string): string =>
  count === 1 ? `1 ${thing}` : `${count.toLocaleString()} ${thing}s`;
