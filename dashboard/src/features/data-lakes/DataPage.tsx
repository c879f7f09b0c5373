import { Button, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconDatabase, IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, unwrap } from "../../api/client";
import { useActorName, useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { UsageLinks, useUsages } from "../../components/UsedBy";
import { useDialog } from "../../components/useDialog";
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
      <PagedTable
        pages={pages}
        columns={["Name", "Rows", "Columns", "Format", "Used by", "Added"]}
        minWidth={680}
        empty={
          <EmptyState icon={IconDatabase} title="No data sets yet" action={add}>
            {isAdmin
              ? "Upload a CSV, JSON Lines, Parquet or Excel file, then use it as the data source of an agent’s input."
              : "Ask an owner or admin to add one."}
          </EmptyState>
        }
      >
        {(lake) => (
          <Table.Tr key={lake.id}>
            <Table.Td>
              <Link className="rowLink" to={`/organizations/${orgId}/data/${lake.id}`}>
                {lake.name}
              </Link>{" "}
              {lake.status === "PENDING" && <StatusLabel status="Not imported" />}
            </Table.Td>
            <Table.Td data-label="Rows">{lake.rows.toLocaleString()}</Table.Td>
            <Table.Td data-label="Columns">{lake.columns.length}</Table.Td>
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
