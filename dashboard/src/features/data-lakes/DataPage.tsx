import { Group, Table } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import { RowLink } from "../../components/PageLink";
import {
  hasWords,
  useAllPages,
  useDataLakePages,
  useIsAdmin,
  useS3Prefixes,
  useRowUsages,
  type Schemas,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import { DimmedXs, AddButton } from "../../components/variants";
import { EmptyList } from "../../components/NoMatches";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { Page } from "../../components/Page";
import { SearchField } from "../../components/SearchField";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { UsageLinks } from "../../components/UsedBy";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { formatName } from "./formats";
import { AddDataSetDialog } from "./AddDataSetDialog";

export default function DataPage() {
  const nameOf = useActorName();
  const isAdmin = useIsAdmin();
  const dialog = useDialog("add-data");
  const pages = useDataLakePages();
  const filters = useFilters();
  const search = filters.get("search");
  useAllPages(pages, search !== undefined);
  const found = { ...pages, items: pages.items.filter((each) => hasWords(searchedText(each), search)) };
  const usages = useRowUsages(
    "data_lake",
    pages.items.map((each) => each.id),
  );
  const prefixes = useS3Prefixes(isAdmin);
  const add = isAdmin && <AddButton onClick={dialog.open}>Add data set</AddButton>;
  return (
    <Page
      title="Data"
      about="Data sets agents can read. Connect one to an ARRAY input and filter its rows."
      actions={add}
    >
      {!isBlank(pages, search !== undefined) && (
        <Group className="filters">
          <SearchField
            aria-label="Search"
            placeholder="Name or column"
            maxLength={100}
            w={{ base: "100%", xs: 280 }}
          />
        </Group>
      )}
      <PagedTable
        pages={found}
        columns={["Name", number("Rows"), number("Columns"), "Format", "Used by", "Added"]}
        minWidth={680}
        empty={
          <EmptyList
            things="data sets"
            filtered={search !== undefined}
            icon={IconDatabase}
            title="No data sets yet"
            action={add}
          >
            {isAdmin
              ? "Upload a CSV, JSON Lines, Parquet or Excel file, then use it as the data source of an agent’s input."
              : "Ask an owner or admin to add one."}
          </EmptyList>
        }
      >
        {(lake) => (
          <Table.Tr key={lake.id}>
            <Table.Td maw={360}>
              <RowLink to={`data/${lake.id}`}>{lake.name}</RowLink>{" "}
              {lake.status === "PENDING" && <StatusLabel status="Not imported" />}
              <DimmedXs lineClamp={1}>{columnNames(lake)}</DimmedXs>
            </Table.Td>
            <Table.Td className="number" data-label="Rows">
              {lake.rows.toLocaleString()}
            </Table.Td>
            <Table.Td className="number" data-label="Columns">
              {lake.columns.length}
            </Table.Td>
            <Table.Td>
              {formatName(lake.format)}
              {lake.s3_uri && " from S3"}
            </Table.Td>
            <Table.Td data-label="Used by" maw={280}>
              <UsageLinks usage={usages.data?.get(lake.id)} />
            </Table.Td>
            <Table.Td>
              <Time at={lake.created_at} relative /> by {nameOf(lake.created_by)}
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
      <AddDataSetDialog
        prefixes={(prefixes.data?.items ?? []).map((each) => each.uri)}
        opened={isAdmin && dialog.opened}
        onClose={dialog.close}
      />
    </Page>
  );
}

const number = (label: string) => ({ label, numeric: true }) as const;

const columnNames = (lake: Schemas["DataLake"]) => lake.columns.map(({ name }) => name).join(", ");

/** The texts to search. */
const searchedText = (lake: Schemas["DataLake"]) => `${lake.name} ${columnNames(lake)} ${lake.format}`;
