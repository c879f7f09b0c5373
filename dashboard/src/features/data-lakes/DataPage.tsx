import { Button, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconDatabase, IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName, useIsAdmin, useOrganizationId } from "../../api/organization";
import { hasWords, useAllPages, usePagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { NoMatches } from "../../components/NoMatches";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { Page } from "../../components/Page";
import { SearchField } from "../../components/SearchField";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { UsageLinks, useUsages } from "../../components/UsedBy";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { formatName } from "./formats";
import { AddDataSetDialog } from "./AddDataSetDialog";

export default function DataPage() {
  const orgId = useOrganizationId();
  const nameOf = useActorName();
  const isAdmin = useIsAdmin();
  const dialog = useDialog("add-data");
  const pages = usePagedQuery(["organization", orgId, "data-lakes", "pages"], (after) =>
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/data-lakes", {
        params: { path: { orgId }, query: { limit: 50, after } },
      }),
    ),
  );
  const filters = useFilters();
  const search = filters.get("search");
  useAllPages(pages, search !== undefined);
  const found = { ...pages, items: pages.items.filter((each) => hasWords(searchedText(each), search)) };
  const usages = useUsages(
    orgId,
    "data_lake",
    pages.items.map((each) => each.id),
    3,
  );
  const prefixes = useQuery({
    queryKey: ["organization", orgId, "data-lakes", "s3-prefixes"],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/data-lakes/s3-prefixes", {
          params: { path: { orgId } },
        }),
      ),
    enabled: isAdmin,
    staleTime: Infinity,
  });
  const add = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      Add data set
    </Button>
  );
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
            searched={search ?? ""}
            onSearch={(text) => filters.set("search", text)}
          />
        </Group>
      )}
      <PagedTable
        pages={found}
        columns={["Name", number("Rows"), number("Columns"), "Format", "Used by", "Added"]}
        minWidth={680}
        empty={
          search ? (
            <NoMatches icon={IconDatabase} things="data sets" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconDatabase} title="No data sets yet" action={add}>
              {isAdmin
                ? "Upload a CSV, JSON Lines, Parquet or Excel file, then use it as the data source of an agent’s input."
                : "Ask an owner or admin to add one."}
            </EmptyState>
          )
        }
      >
        {(lake) => (
          <Table.Tr key={lake.id}>
            <Table.Td maw={360}>
              <Link className="rowLink" to={`/organizations/${orgId}/data/${lake.id}`}>
                {lake.name}
              </Link>{" "}
              {lake.status === "PENDING" && <StatusLabel status="Not imported" />}
              <Text size="xs" c="dimmed" lineClamp={1}>
                {columnNames(lake)}
              </Text>
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
              <UsageLinks orgId={orgId} usage={usages.data?.get(lake.id)} />
            </Table.Td>
            <Table.Td>
              <Time at={lake.created_at} relative /> by {nameOf(lake.created_by)}
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
      <AddDataSetDialog
        orgId={orgId}
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
