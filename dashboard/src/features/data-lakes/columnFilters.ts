import { parsedJson } from "../../components/json";
import { optionsOf } from "../../components/optionsOf";
import { formatNumberText, inputTypeOf, typeLabel } from "../../values/columnType";
import { parseNumber } from "../../values/numberText";

/** A comparison of a column, as the API reads it. */
export interface ColumnFilter {
  column: string;
  op: string;
  /** Absent for the comparisons with nothing. */
  value?: string;
}

const EMPTY = optionsOf({ is_null: "is empty", is_not_null: "is not empty" });

const TEXT = optionsOf({ contains: "contains", "=": "is", "!=": "is not", starts_with: "starts with" });

const ORDERED = optionsOf({ "=": "=", "!=": "≠", ">": ">", ">=": "≥", "<": "<", "<=": "≤" });

const DATE = optionsOf({ ">=": "from", "<": "before", ">": "after", "=": "is" });

const YES_NO = [{ value: "=", label: "is" }];

/** How a column is compared, and with what kind of value. */
export function comparisonsOf(type: string) {
  const input = inputTypeOf(type);
  const label = typeLabel(type);
  const isDate = label === "date" || label === "date and time";
  const isNumber = input === "INTEGER" || input === "FLOAT";
  const kind = isDate ? "date" : isNumber ? "number" : input === "BOOLEAN" ? "yes/no" : "text";
  const own = isNumber
    ? ORDERED
    : isDate
      ? DATE
      : input === "BOOLEAN"
        ? YES_NO
        : label === "text"
          ? TEXT
          : TEXT.slice(0, 1);
  return { operators: [...own, ...EMPTY], kind } as const;
}

export const needsValue = (op: string) => op !== "is_null" && op !== "is_not_null";

/** The value to compare with, as the API reads it, or why the text is none. */
export function parseValue(typed: string, type: string): { value: string } | { error: string } {
  const { kind } = comparisonsOf(type);
  const text = typed.trim();
  if (kind === "number") {
    const parsed = parseNumber(text, false);
    return "error" in parsed ? parsed : { value: parsed.number };
  }
  return text === "" ? { error: kind === "date" ? "Choose a date." : "Enter a value." } : { value: text };
}

/** The filters in the address; none if it was written by hand and is not readable. */
export function readFilters(text: string | undefined): ColumnFilter[] {
  const filters = parsedJson(text ?? "[]");
  return Array.isArray(filters) ? (filters as ColumnFilter[]) : [];
}

export const writeFilters = (filters: ColumnFilter[]) =>
  filters.length === 0 ? null : JSON.stringify(filters);

/** A filter in words, such as "amount ≥ 100". */
export function describeFilter({ column, op, value }: ColumnFilter, type: string): string {
  const { operators, kind } = comparisonsOf(type);
  const words = operators.find((each) => each.value === op)?.label ?? op;
  const shown = kind === "yes/no" ? (value === "true" ? "Yes" : "No") : formatNumberText(value ?? "", type);
  return needsValue(op) ? `${column} ${words} ${shown}` : `${column} ${words}`;
}
