import { Button, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconDatabase, IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, ask } from "../../api/client";
import { useActorName, useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { EmptyState } from "../../parts/EmptyState";
import { Listing } from "../../parts/Listing";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";
import { useDialog } from "../../parts/useDialog";
import { formatName } from "./formats";
import { AddDialog } from "./AddDialog";

/** The organization's data sets, which agents read as rows. */
export default function DataPage() {
  const orgId = useOrganizationId();
  const nameOf = useActorName();
  const isAdmin = useIsAdmin();
  const dialog = useDialog("add-data");
  const pages = usePages(["organization", orgId, "data-lakes", "pages"], (after) =>
    ask(
      api.GET("/dashboard/api/organizations/{orgId}/data-lakes", {
        params: { path: { orgId }, query: { limit: 50, after } },
      }),
    ),
  );
  const prefixes = useQuery({
    queryKey: ["organization", orgId, "data-lakes", "s3-prefixes"],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/data-lakes/s3-prefixes", {
          params: { path: { orgId } },
        }),
      ),
    enabled: isAdmin,
    staleTime: Infinity,
  });
  const add = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      Add data
    </Button>
  );
  return (
    <Page
      title="Data"
      about="Tables that agents read: an input of type ARRAY takes the rows of a data set, filtered if you like."
      actions={add}
    >
      <Listing
        pages={pages}
        columns={["Name", "Rows", "Columns", "Came as", "Added"]}
        minWidth={560}
        empty={
          <EmptyState icon={IconDatabase} title="No data yet" action={add}>
            {isAdmin
              ? "Upload a CSV, JSON lines, Parquet or Excel file; then choose it as the data source of an agent's input."
              : "An owner or admin of the organization can add the first table."}
          </EmptyState>
        }
      >
        {(lake) => (
          <Table.Tr key={lake.id}>
            <Table.Td>
              <Link className="rowLink" to={`/organizations/${orgId}/data/${lake.id}`}>
                {lake.name}
              </Link>{" "}
              {lake.status === "PENDING" && <Status of="Not imported" />}
            </Table.Td>
            <Table.Td>{lake.rows.toLocaleString()} rows</Table.Td>
            <Table.Td>{lake.columns.length} columns</Table.Td>
            <Table.Td>
              {formatName(lake.format)}
              {lake.s3_uri && " from S3"}
            </Table.Td>
            <Table.Td>
              <Time at={lake.created_at} relative /> by {nameOf(lake.created_by)}
            </Table.Td>
          </Table.Tr>
        )}
      </Listing>
      <AddDialog
        orgId={orgId}
        prefixes={(prefixes.data?.items ?? []).map((each) => each.uri)}
        opened={isAdmin && dialog.opened}
        onClose={dialog.close}
      />
    </Page>
  );
}
