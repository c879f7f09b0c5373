import { Alert, Button, Code, ScrollArea, Stack, Table, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName, useIsAdmin, useOrganizationId } from "../../api/organization";
import { CopyButton } from "../../components/CopyButton";
import { DeleteButton } from "../../components/DeleteButton";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { inputTypeOf } from "../../components/columnType";
import { queryClient } from "../../queryClient";
import { formatName } from "./formats";

const PREVIEW_ROWS = 50;
const ONE = "/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}";

/** A data set with its columns and first rows. */
export default function DataLakePage() {
  const orgId = useOrganizationId();
  const { lakeId = "" } = useParams();
  const lake = useQuery({
    queryKey: ["organization", orgId, "data-lakes", lakeId],
    queryFn: () => unwrap(api.GET(ONE, { params: { path: { orgId, lakeId } } })),
  });
  return <QueryBoundary query={lake}>{(found) => <DataLake orgId={orgId} lake={found} />}</QueryBoundary>;
}

function DataLake({ orgId, lake }: { orgId: string; lake: Schemas["DataLake"] }) {
  const nameOf = useActorName();
  const isAdmin = useIsAdmin();
  const refresh = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}/refresh", {
          params: { path: { orgId, lakeId: lake.id } },
        }),
      ),
    onSuccess: async (read) => {
      notifications.show({ message: `“${read.name}” refreshed: ${read.rows.toLocaleString()} rows.` });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "data-lakes"] });
    },
  });
  return (
    <Page
      title={lake.name}
      back={{ to: `/organizations/${orgId}/data`, label: "Data" }}
      badge={lake.status === "PENDING" && <StatusLabel status="Not imported" />}
      about={
        <>
          {lake.rows.toLocaleString()} rows, {lake.columns.length} columns · {formatName(lake.format)} · added
          by {nameOf(lake.created_by)} <Time at={lake.created_at} />
          {lake.s3_uri && <Source lake={lake} uri={lake.s3_uri} />}
        </>
      }
      actions={
        <>
          <CopyButton text={lake.id} label="Copy ID" />
          {isAdmin && lake.s3_uri && lake.status === "READY" && (
            <Button variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
              Refresh
            </Button>
          )}
          {isAdmin && (
            <DeleteButton
              name={lake.name}
              action="Delete data set"
              consequence="Tasks that read it will start failing. Runs keep the rows they have already read. This can’t be undone."
              remove={() => unwrap(api.DELETE(ONE, { params: { path: { orgId, lakeId: lake.id } } }))}
              listPath={`/organizations/${orgId}/data`}
              listKey={["organization", orgId, "data-lakes"]}
            />
          )}
        </>
      }
    >
      <ErrorNotice error={refresh.error} />
      {lake.status === "PENDING" ? (
        <Alert color="yellow" title="The upload didn’t finish">
          The upload was interrupted, or the file hasn’t been imported yet. Delete it and upload again;
          otherwise it is removed after a day.
        </Alert>
      ) : (
        <Preview orgId={orgId} lake={lake} />
      )}
    </Page>
  );
}

/** The S3 location and the time of the last read. */
function Source({ lake, uri }: { lake: Schemas["DataLake"]; uri: string }) {
  return (
    <div>
      Source: <Code style={{ overflowWrap: "anywhere" }}>{uri}</Code>
      {lake.s3_objects !== null && ` (${lake.s3_objects} ${lake.s3_objects === 1 ? "object" : "objects"})`}
      {lake.read_at && (
        <>
          , last read <Time at={lake.read_at} seconds />
        </>
      )}
    </div>
  );
}

function Preview({ orgId, lake }: { orgId: string; lake: Schemas["DataLake"] }) {
  const rows = useQuery({
    queryKey: ["organization", orgId, "data-lakes", lake.id, "rows"],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}/rows", {
          params: { path: { orgId, lakeId: lake.id }, query: { limit: PREVIEW_ROWS } },
        }),
      ),
    staleTime: Infinity,
  });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {lake.rows > PREVIEW_ROWS ? `First ${PREVIEW_ROWS} rows` : "All rows"}
      </Title>
      <QueryBoundary query={rows}>{(found) => <Rows lake={lake} rows={found.rows} />}</QueryBoundary>
    </Stack>
  );
}

/** Numbers are right-aligned. */
const isNumber = (type: string) => ["INTEGER", "FLOAT"].includes(inputTypeOf(type) ?? "");

function Rows({ lake, rows }: { lake: Schemas["DataLake"]; rows: Record<string, unknown>[] }) {
  return (
    <ScrollArea.Autosize
      type="auto"
      mah={640}
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": `Rows of ${lake.name}` }}
    >
      <Table data-grid withColumnBorders withTableBorder stickyHeader verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            {lake.columns.map((column) => (
              <Table.Th key={column.name} style={{ whiteSpace: "nowrap" }}>
                {column.name}
                <Text size="xs" c="dimmed" ff="monospace">
                  {column.type}
                </Text>
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
                  <Cell of={row[column.name]} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && (
        <Text c="dimmed" size="sm" p="sm">
          This data set has no rows.
        </Text>
      )}
    </ScrollArea.Autosize>
  );
}

function Cell({ of }: { of: unknown }) {
  if (of === null || of === undefined) {
    return (
      <Text span size="sm" c="dimmed">
        null
      </Text>
    );
  }
  const text = typeof of === "string" ? of : JSON.stringify(of);
  return (
    <Text span size="sm" lineClamp={3} title={text.length > 60 ? text : undefined}>
      {text}
    </Text>
  );
}
