import { memberLabel } from "./memberLabel";
import { CopyButton } from "./CopyButton";
import classes from "./valueTable.module.css";

type Row = Record<string, unknown>;

const MAX_ROWS = 200;
const MAX_COLUMNS = 12;

const isScalar = (value: unknown) => value === null || typeof value !== "object";
const isFlat = (value: unknown): value is Row =>
  !isScalar(value) && !Array.isArray(value) && Object.values(value as Row).every(isScalar);

/** The rows of a value that a table can show: a list of flat objects, or a flat object as one row. */
export function rowsOf(value: unknown): Row[] | undefined {
  const rows = Array.isArray(value) ? (value as unknown[]) : [value];
  if (rows.length === 0 || rows.length > MAX_ROWS || !rows.every(isFlat)) {
    return undefined;
  }
  const columns = columnsOf(rows).length;
  return columns > 0 && columns <= MAX_COLUMNS ? rows : undefined;
}

const columnsOf = (rows: Row[]) => [...new Set(rows.flatMap((row) => Object.keys(row)))];

/** A list of objects with one row each. */
export function ValueTable({ rows, value, label }: { rows: Row[]; value: unknown; label: string }) {
  const columns = columnsOf(rows);
  return (
    <div className={classes.frame}>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
        <table className={classes.table}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" data-number={isNumeric(rows, column) || undefined}>
                  {memberLabel(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // Rows have no IDs.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column} data-number={isNumeric(rows, column) || undefined}>
                    {scalarText(row[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <CopyButton small text={JSON.stringify(value, null, 2)} label={`Copy ${label} as JSON`} />
    </div>
  );
}

const isNumeric = (rows: Row[], column: string) =>
  rows.every((row) => row[column] === undefined || row[column] === null || typeof row[column] === "number");

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 });

/** A value as people write it. */
export function scalarText(value: unknown): string {
  if (value === undefined || value === null) {
    return "–";
  }
  if (typeof value === "boolean") {
    return value ? "Yes" : "No";
  }
  return typeof value === "number" ? number.format(value) : String(value);
}
