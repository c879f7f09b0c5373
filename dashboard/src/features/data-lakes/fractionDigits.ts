/** More digits would fill the column with zeros. */
const MAX_PADDED = 4;

/** The fraction digits that all numbers of a column have, so that their decimal points align. */
export function fractionDigits(values: unknown[]): number {
  const digits = values.map((value) =>
    typeof value === "number" ? (/^-?\d+\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0) : 0,
  );
  return Math.min(MAX_PADDED, Math.max(0, ...digits));
}
