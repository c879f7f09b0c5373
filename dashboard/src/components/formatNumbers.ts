import { costCurrency } from "../api";

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const COMPACT_FROM = 100_000;

/** Formats a count; from 100,000 in compact form such as "120K". */
export function formatCount(value: number): string {
  return (value < COMPACT_FROM ? whole : short).format(value);
}

/** Formats a cost in millionths of the currency; below 1 with four decimal places if they are needed. */
export function formatCost(micros: number): string {
  const value = micros / 1_000_000;
  return value.toLocaleString(undefined, {
    style: "currency",
    currency: costCurrency(),
    currencyDisplay: "narrowSymbol",
    ...(value < 1 && { maximumFractionDigits: 4 }),
  });
}

/** Formats a share such as "56%". Only all are 100% and only none are 0%, so that a single one is not rounded away. */
export function formatShare(part: number, all: number): string {
  const percent = Math.round((100 * part) / all);
  const isMixed = part > 0 && part < all;
  return `${isMixed ? Math.min(99, Math.max(1, percent)) : percent}%`;
}
