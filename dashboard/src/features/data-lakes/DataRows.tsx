import { Group, Pagination, Pill, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useDataRows, type Schemas } from "../../api";
import { Dimmed } from "../../components/variants";
import { inputTypeOf } from "../../values/columnType";
import { parseNumber } from "../../values/numberText";
import { LoadingIndicator } from "../../components/QueryBoundary";
import { SearchField } from "../../components/SearchField";
import { counted } from "../../components/counted";
import { useFilters } from "../../components/useFilters";
import { describeFilter, readFilters, writeFilters, type ColumnFilter } from "./columnFilters";
import { RowsError } from "./RowsError";
import { RowTable } from "./RowTable";
import classes from "./dataRows.module.css";

type Lake = Schemas["DataLake"];

const PAGE_SIZE = 50;
/** The server sorts no further than this. */
const MAX_SORTED_ROWS = 5_000;

interface Props {
  lake: Lake;
  /** Buttons to show if the rows cannot be read. */
  remedies: ReactNode;
}

/** A number with thousands separators as the rows have it, if a column may show it so. */
function searchedText(typed: string, { columns }: Lake): string {
  const parsed = parseNumber(typed, false);
  const isGrouped = "number" in parsed && /\d[.,'’\s]\d{3}/.test(typed) && parsed.number !== typed;
  return isGrouped && columns.some(({ type }) => inputTypeOf(type) === "FLOAT") ? parsed.number : typed;
}

/** The rows of a data set: searched, filtered, sorted and paged by the server. The URL holds the view. */
export function DataRows({ lake, remedies }: Props) {
  const filters = useFilters();
  const search = filters.get("search") ?? "";
  const searched = searchedText(search, lake);
  const sort = lake.columns.some(({ name }) => name === filters.get("sort"))
    ? filters.get("sort")
    : undefined;
  // A new file may lack the column of a filter.
  const allFilters = readFilters(filters.get("filter"));
  const columnFilters = allFilters.filter((each) => lake.columns.some(({ name }) => name === each.column));
  const filter =
    columnFilters.length === allFilters.length
      ? filters.get("filter")
      : (writeFilters(columnFilters) ?? undefined);
  const descending = filters.get("order") === "desc";
  const lastPage = Math.max(1, Math.ceil(lake.rows / PAGE_SIZE));
  const page = Math.min(Math.max(1, Number(filters.get("page")) || 1), lastPage);
  const rows = useDataRows(lake, {
    search: searched || undefined,
    filter,
    sort,
    order: sort && descending ? "desc" : undefined,
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  });
  // The rows stay visible while the server refuses a filter.
  const [latest, setLatest] = useState(rows.data);
  if (rows.data && rows.data !== latest) {
    setLatest(rows.data);
  }
  const shown = rows.data ?? latest;
  const total = rows.data?.total ?? lake.rows;
  const reachable = sort ? Math.min(total, MAX_SORTED_ROWS) : total;
  const pages = Math.ceil(reachable / PAGE_SIZE);
  const first = (page - 1) * PAGE_SIZE;
  const setFilter = (column: string, changed: ColumnFilter | null) =>
    filters.setAll({
      filter: writeFilters([
        ...columnFilters.filter((each) => each.column !== column),
        ...(changed ? [changed] : []),
      ]),
      page: null,
    });
  const sortBy = (column: string) =>
    filters.setAll(
      sort !== column
        ? { sort: column, order: null, page: null }
        : descending
          ? { sort: null, order: null, page: null }
          : { order: "desc", page: null },
    );
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <SearchField
          label="Search rows"
          placeholder="Part of any value"
          maxLength={200}
          w={{ base: "100%", xs: 280 }}
          resets="page"
        />
        <Dimmed role="status" className={classes.count}>
          {rows.isError
            ? ""
            : total === 0
              ? "No rows"
              : `${(first + 1).toLocaleString()}–${Math.min(first + PAGE_SIZE, total).toLocaleString()} of ${counted(total, "row")}`}
          {sort && total > MAX_SORTED_ROWS && `, the first ${MAX_SORTED_ROWS.toLocaleString()} when sorted`}
        </Dimmed>
      </Group>
      <FilterPills lake={lake} filters={columnFilters} onRemove={(column) => setFilter(column, null)} />
      <RowsError lake={lake} error={rows.error} onRetry={() => void rows.refetch()} remedies={remedies} />
      {shown ? (
        <div className={classes.rows} aria-busy={rows.isPlaceholderData}>
          <RowTable
            lake={lake}
            rows={shown.rows}
            sort={sort}
            descending={descending}
            onSort={sortBy}
            filters={columnFilters}
            onFilter={setFilter}
            empty={
              columnFilters.length > 0
                ? "No row matches the filters."
                : search
                  ? `No row contains “${search}”.`
                  : "This data set has no rows."
            }
          />
        </div>
      ) : (
        !rows.error && <LoadingIndicator />
      )}
      {pages > 1 && (!rows.isError || page > 1) && (
        <Group justify="center">
          <Pagination
            total={pages}
            value={page}
            siblings={1}
            getControlProps={(control) => ({ "aria-label": `${control} page` })}
            getItemProps={(number) => ({ "aria-label": `Page ${number}` })}
            onChange={(next) => filters.set("page", next === 1 ? null : String(next))}
          />
        </Group>
      )}
    </Stack>
  );
}

interface PillsProps {
  lake: Lake;
  filters: ColumnFilter[];
  onRemove: (column: string) => void;
}

/** The filters in words. */
const FilterPills = ({ lake, filters, onRemove }: PillsProps) =>
  filters.length > 0 && (
    <Group gap={6} role="group" aria-label="Filters">
      {filters.map((each) => {
        const type = lake.columns.find(({ name }) => name === each.column)?.type ?? "VARCHAR";
        const words = describeFilter(each, type);
        return (
          <Pill
            key={each.column}
            size="md"
            withRemoveButton
            removeButtonProps={{ "aria-label": `Remove filter: ${words}`, "aria-hidden": false, tabIndex: 0 }}
            onRemove={() => onRemove(each.column)}
          >
            {words}
          </Pill>
        );
      })}
    </Group>
  );
