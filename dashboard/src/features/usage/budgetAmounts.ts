import { costCurrency, type Schemas } from "../../api";
import { formatCost, formatCount } from "../../components/formatNumbers";

const MICROS = 1_000_000;

type Unit = Schemas["Budget"]["unit"];

/** Converts a stored amount for a form: to units of the currency, or tokens. */
export const toEntered = (unit: Unit, amount: number) => (unit === "COST" ? amount / MICROS : amount);

/** Converts the value of a form to a stored amount. */
export const fromEntered = (unit: Unit, entered: number) =>
  Math.round(unit === "COST" ? entered * MICROS : entered);

export const formatAmount = (unit: Unit, amount: number) =>
  unit === "COST" ? formatCost(amount) : `${formatCount(amount)} tokens`;

export const limitLabel = (unit: Unit) =>
  unit === "COST" ? `Limit in ${costCurrency()}` : "Limit in tokens";

/** The share of a budget's limit in percent, at most 100. */
export const percentOf = ({ limit }: Schemas["Budget"], amount: number) =>
  Math.min(100, (100 * amount) / limit);
