import { Group, Pagination, ScrollArea, Stack, Table, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconArrowDown, IconArrowUp, IconSearch, IconSelector } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { inputTypeOf, typeLabel } from "../../components/columnType";
import { ErrorNotice } from "../../components/ErrorNotice";
import { LoadingIndicator } from "../../components/QueryBoundary";
import { useFilters } from "../../components/useFilters";
import classes from "./dataRows.module.css";

type Lake = Schemas["DataLake"];

const PAGE_SIZE = 50;
/** The server sorts no further than this. */
const MAX_SORTED_ROWS = 5_000;

interface Props {
  orgId: string;
  lake: Lake;
}

/** The rows of a data set: searched, sorted and paged by the server. The URL holds the view. */
export function DataRows({ orgId, lake }: Props) {
  const filters = useFilters();
  const search = filters.get("search") ?? "";
  const sort = lake.columns.some(({ name }) => name === filters.get("sort"))
    ? filters.get("sort")
    : undefined;
  const descending = filters.get("order") === "desc";
  const page = Math.max(1, Number(filters.get("page")) || 1);
  const rows = useQuery({
    queryKey: [
      "organization",
      orgId,
      "data-lakes",
      lake.id,
      "rows",
      lake.read_at,
      search,
      sort,
      descending,
      page,
    ],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}/rows", {
          params: {
            path: { orgId, lakeId: lake.id },
            query: {
              search: search || undefined,
              sort,
              order: sort && descending ? "desc" : undefined,
              offset: (page - 1) * PAGE_SIZE,
              limit: PAGE_SIZE,
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  const total = rows.data?.total ?? lake.rows;
  const reachable = sort ? Math.min(total, MAX_SORTED_ROWS) : total;
  const pages = Math.ceil(reachable / PAGE_SIZE);
  const first = (page - 1) * PAGE_SIZE;
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
        <SearchField searched={search} onSearch={(text) => filters.setAll({ search: text, page: null })} />
        <Text size="sm" c="dimmed" role="status" className={classes.count}>
          {total === 0
            ? "No rows"
            : `${(first + 1).toLocaleString()}–${Math.min(first + PAGE_SIZE, total).toLocaleString()} of ${total.toLocaleString()} rows`}
          {sort && total > MAX_SORTED_ROWS && `, the first ${MAX_SORTED_ROWS.toLocaleString()} when sorted`}
        </Text>
      </Group>
      <ErrorNotice error={rows.error} onRetry={() => void rows.refetch()} />
      {rows.data ? (
        <div className={classes.rows} aria-busy={rows.isPlaceholderData}>
          <RowTable
            lake={lake}
            rows={rows.data.rows}
            sort={sort}
            descending={descending}
            onSort={sortBy}
            empty={search ? `No row contains “${search}”.` : "This data set has no rows."}
          />
        </div>
      ) : (
        !rows.error && <LoadingIndicator />
      )}
      {pages > 1 && (
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

/** Searches after a pause in typing. */
function SearchField({ searched, onSearch }: { searched: string; onSearch: (text: string | null) => void }) {
  const [text, setText] = useState(searched);
  const [before, setBefore] = useState(searched);
  if (before !== searched) {
    setBefore(searched);
    setText((now) => (now.trim() === searched ? now : searched));
  }
  const search = useDebouncedCallback((value: string) => onSearch(value.trim() || null), 400);
  return (
    <TextInput
      type="search"
      label="Search rows"
      placeholder="Part of any value"
      leftSection={<IconSearch size={16} aria-hidden />}
      maxLength={200}
      w={{ base: "100%", xs: 280 }}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}

/** Fractions have thousands separators. Integers have none, because many are IDs or years. */
function formatCell(value: unknown, type: string): string {
  if (typeof value === "string") {
    return value;
  }
  return typeof value === "number" && inputTypeOf(type) === "FLOAT"
    ? value.toLocaleString(undefined, { maximumFractionDigits: 20 })
    : JSON.stringify(value);
}

/** Numbers are right-aligned. */
const isNumber = (type: string) => ["INTEGER", "FLOAT"].includes(inputTypeOf(type) ?? "");

interface RowTableProps {
  lake: Lake;
  rows: Record<string, unknown>[];
  sort: string | undefined;
  descending: boolean;
  onSort: (column: string) => void;
  empty: string;
}

function RowTable({ lake, rows, sort, descending, onSort, empty }: RowTableProps) {
  return (
    <ScrollArea.Autosize
      type="auto"
      mah="70vh"
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": `Rows of ${lake.name}` }}
    >
      <Table
        data-grid
        withColumnBorders
        withTableBorder
        stickyHeader
        verticalSpacing={6}
        fz="sm"
        highlightOnHover
      >
        <Table.Thead>
          <Table.Tr>
            {lake.columns.map((column) => (
              <Table.Th
                key={column.name}
                aria-sort={sort === column.name ? (descending ? "descending" : "ascending") : undefined}
              >
                <SortButton
                  column={column}
                  direction={sort !== column.name ? null : descending ? "descending" : "ascending"}
                  onSort={onSort}
                />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            // Rows have no IDs and never reorder.
            // oxlint-disable-next-line react/no-array-index-key
            <Table.Tr key={index}>
              {lake.columns.map((column) => (
                <Table.Td key={column.name} ta={isNumber(column.type) ? "right" : undefined} maw={320}>
                  <Cell of={row[column.name]} type={column.type} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && (
        <Text c="dimmed" size="sm" p="sm">
          {empty}
        </Text>
      )}
    </ScrollArea.Autosize>
  );
}

interface SortButtonProps {
  column: Schemas["DataLakeColumn"];
  direction: "ascending" | "descending" | null;
  onSort: (column: string) => void;
}

function SortButton({ column, direction, onSort }: SortButtonProps) {
  const name = (
    <>
      {column.name}
      <Text size="xs" c="dimmed" fw={400} title={column.type}>
        {typeLabel(column.type)}
      </Text>
    </>
  );
  if (inputTypeOf(column.type) === null) {
    return <div className={classes.heading}>{name}</div>;
  }
  const Icon = direction === null ? IconSelector : direction === "ascending" ? IconArrowUp : IconArrowDown;
  return (
    <UnstyledButton
      className={classes.heading}
      onClick={() => onSort(column.name)}
      title={`Sort by ${column.name}`}
    >
      <span>{name}</span>
      <Icon size={15} aria-hidden className={classes.icon} data-active={direction !== null} />
    </UnstyledButton>
  );
}

function Cell({ of, type }: { of: unknown; type: string }) {
  if (of === null || of === undefined) {
    return (
      <Text span size="sm" c="dimmed">
        null
      </Text>
    );
  }
  const text = formatCell(of, type);
  return (
    <Text span size="sm" lineClamp={3} title={text.length > 60 ? text : undefined}>
      {text}
    </Text>
  );
}
