/** For example "1 row" or "3,000 rows". */
export const rowCount = (count: number): string => (count === 1 ? "1 row" : `${count.toLocaleString()} rows`);
