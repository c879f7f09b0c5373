import { Alert, Button, Code, ScrollArea, Stack, Table, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { useActorName, useIsAdmin, useOrganizationId } from "../../api/organization";
import { Copy } from "../../parts/Copy";
import { DeleteButton } from "../../parts/DeleteButton";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Loaded } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";
import { basicType } from "../../parts/columnType";
import { queryClient } from "../../queryClient";
import { formatName } from "./formats";

const SHOWN = 50;
const ONE = "/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}";

/** One data set: its columns with their types, and its first rows. */
export default function DataLakePage() {
  const orgId = useOrganizationId();
  const { lakeId = "" } = useParams();
  const lake = useQuery({
    queryKey: ["organization", orgId, "data-lakes", lakeId],
    queryFn: () => ask(api.GET(ONE, { params: { path: { orgId, lakeId } } })),
  });
  return <Loaded query={lake}>{(found) => <DataLake orgId={orgId} lake={found} />}</Loaded>;
}

function DataLake({ orgId, lake }: { orgId: string; lake: Schemas["DataLake"] }) {
  const nameOf = useActorName();
  const isAdmin = useIsAdmin();
  const refresh = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}/refresh", {
          params: { path: { orgId, lakeId: lake.id } },
        }),
      ),
    onSuccess: async (read) => {
      notifications.show({ message: `“${read.name}” has ${read.rows.toLocaleString()} rows now.` });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "data-lakes"] });
    },
  });
  return (
    <Page
      title={lake.name}
      back={{ to: `/organizations/${orgId}/data`, label: "Data" }}
      badge={lake.status === "PENDING" && <Status of="Not imported" />}
      about={
        <>
          {lake.rows.toLocaleString()} rows, {lake.columns.length} columns · came as {formatName(lake.format)}{" "}
          · added by {nameOf(lake.created_by)} <Time at={lake.created_at} />
          {lake.s3_uri && <Source lake={lake} uri={lake.s3_uri} />}
        </>
      }
      actions={
        <>
          <Copy text={lake.id} label="Copy id" />
          {isAdmin && lake.s3_uri && lake.status === "READY" && (
            <Button variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
              Refresh
            </Button>
          )}
          {isAdmin && (
            <DeleteButton
              what={lake.name}
              action="Delete data"
              consequence="Tasks of agents that read it fail from then on. What they read earlier stays in their runs. This cannot be undone."
              remove={() => ask(api.DELETE(ONE, { params: { path: { orgId, lakeId: lake.id } } }))}
              list={`/organizations/${orgId}/data`}
              listKey={["organization", orgId, "data-lakes"]}
            />
          )}
        </>
      }
    >
      <ErrorNotice error={refresh.error} />
      {lake.status === "PENDING" ? (
        <Alert color="yellow" title="Its file did not arrive">
          The upload broke off, or its program has not imported it yet. Delete it and upload the file again;
          by itself it goes a day after it was made.
        </Alert>
      ) : (
        <Preview orgId={orgId} lake={lake} />
      )}
    </Page>
  );
}

/** Where in S3 it comes from, and when that was read. */
function Source({ lake, uri }: { lake: Schemas["DataLake"]; uri: string }) {
  return (
    <div>
      Read from <Code style={{ overflowWrap: "anywhere" }}>{uri}</Code>
      {lake.s3_objects !== null && ` (${lake.s3_objects} ${lake.s3_objects === 1 ? "object" : "objects"})`}
      {lake.read_at && (
        <>
          {" "}
          last <Time at={lake.read_at} seconds />
        </>
      )}
    </div>
  );
}

function Preview({ orgId, lake }: { orgId: string; lake: Schemas["DataLake"] }) {
  const rows = useQuery({
    queryKey: ["organization", orgId, "data-lakes", lake.id, "rows"],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}/rows", {
          params: { path: { orgId, lakeId: lake.id }, query: { limit: SHOWN } },
        }),
      ),
    staleTime: Infinity,
  });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {lake.rows > SHOWN ? `The first ${SHOWN} rows` : "All rows"}
      </Title>
      <Loaded query={rows}>{(found) => <Rows lake={lake} rows={found.rows} />}</Loaded>
    </Stack>
  );
}

/** Numbers stand at the right, so that their digits are one below the other. */
const isNumber = (type: string) => ["INTEGER", "FLOAT"].includes(basicType(type) ?? "");

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
            // Rows have no ids, and their order does not change.
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
          It has columns, and no rows.
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
