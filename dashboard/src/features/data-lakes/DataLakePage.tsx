import { Alert, Code } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useParams } from "react-router";
import {
  deleteDataLake,
  organizationKey,
  useDataLake,
  useIsAdmin,
  useOrganizationId,
  useRefreshDataLake,
  useUsages,
  type Schemas,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import { SecondaryButton } from "../../components/variants";
import { CopyButton } from "../../components/CopyButton";
import { DeleteButton } from "../../components/DeleteButton";
import { ErrorNotice } from "../../components/ErrorNotice";
import { MenuItem } from "../../components/MoreMenu";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { UrlTabs } from "../../components/UrlTabs";
import { UsageLinks, UsageWarning } from "../../components/UsedBy";
import { counted } from "../../components/counted";
import { useDialog } from "../../components/useDialog";
import { ColumnStatistics } from "./ColumnStatistics";
import { DataRows } from "./DataRows";
import { formatName } from "./formats";
import { ImportNotes } from "./ImportNotes";
import { RenameDataSetDialog } from "./RenameDataSetDialog";
import { ReplaceFileDialog } from "./ReplaceFileDialog";

/** A data set: its rows, its columns, and the agents that read it. */
export default function DataLakePage() {
  const { lakeId = "" } = useParams();
  const lake = useDataLake(lakeId);
  return <QueryBoundary query={lake}>{(found) => <DataLake lake={found} />}</QueryBoundary>;
}

function DataLake({ lake }: { lake: Schemas["DataLake"] }) {
  const orgId = useOrganizationId();
  const nameOf = useActorName();
  const isAdmin = useIsAdmin();
  const usages = useUsages("data_lake", [lake.id]);
  const isUnused = usages.data?.get(lake.id)?.total === 0;
  const replacing = useDialog("replace-file");
  const renaming = useDialog("rename-data");
  const refresh = useRefreshDataLake(lake.id, {
    done: (read) => `“${read.name}” refreshed: ${counted(read.rows, "row")}.`,
  });
  /** @param inMenu whether the rarer ones are in a menu */
  const changes = (inMenu: boolean) =>
    isAdmin && (
      <>
        {!lake.s3_uri && lake.status === "READY" && (
          <SecondaryButton onClick={replacing.open}>Replace file</SecondaryButton>
        )}
        {lake.s3_uri && lake.status === "READY" && (
          <SecondaryButton loading={refresh.isPending} onClick={() => refresh.mutate()}>
            Refresh
          </SecondaryButton>
        )}
        <DeleteButton
          name={lake.name}
          action="Delete data set"
          consequence={`${isUnused ? "" : "Tasks that read it start failing. "}Runs keep the rows that they have already read. This can’t be undone.`}
          remove={() => deleteDataLake(orgId, lake.id)}
          listPath={`/organizations/${orgId}/data`}
          listKey={organizationKey(orgId, "data-lakes")}
          inMenu={inMenu}
          menuItems={<MenuItem icon={IconPencil} label="Rename…" onClick={renaming.open} />}
        >
          <UsageWarning kind="data_lake" id={lake.id} />
        </DeleteButton>
      </>
    );
  return (
    <Page
      title={lake.name}
      back={{ to: "data", label: "Data" }}
      badge={lake.status === "PENDING" && <StatusLabel status="Not imported" />}
      about={
        <>
          {counted(lake.rows, "row")}, {counted(lake.columns.length, "column")} · {formatName(lake.format)} ·
          added by {nameOf(lake.created_by)} <Time at={lake.created_at} />
          {!lake.s3_uri && lake.read_at && (
            <>
              {" "}
              · rows replaced <Time at={lake.read_at} />
            </>
          )}
          {lake.s3_uri && <Source lake={lake} uri={lake.s3_uri} />}
          <div>
            Used by: <UsageLinks usage={usages.data?.get(lake.id)} none="no agent" size="md" />
          </div>
        </>
      }
      actions={
        <>
          <CopyButton text={lake.id} label="Copy ID" />
          {changes(true)}
        </>
      }
    >
      <ErrorNotice error={refresh.error} />
      <RenameDataSetDialog lake={lake} opened={renaming.opened} onClose={renaming.close} />
      <ReplaceFileDialog lake={lake} opened={replacing.opened} onClose={replacing.close} />
      {lake.status === "PENDING" ? (
        <Alert color="yellow" title="The upload didn’t finish">
          The upload was interrupted, or the file hasn’t been imported yet. Delete it and upload again;
          otherwise it is removed after a day.
        </Alert>
      ) : (
        <Contents lake={lake} remedies={changes(false)} />
      )}
    </Page>
  );
}

/** The S3 location and the time of the last read. */
function Source({ lake, uri }: { lake: Schemas["DataLake"]; uri: string }) {
  return (
    <div>
      Source: <Code style={{ overflowWrap: "anywhere" }}>{uri}</Code>
      {lake.s3_objects !== null && ` (${counted(lake.s3_objects, "object")})`}
      {lake.read_at && (
        <>
          , last read <Time at={lake.read_at} seconds />
        </>
      )}
    </div>
  );
}

/** The rows, or the columns with their statistics. */
function Contents({ lake, remedies }: { lake: Schemas["DataLake"]; remedies: ReactNode }) {
  const columns = (
    <>
      <ImportNotes lake={lake} />
      <ColumnStatistics lake={lake} remedies={remedies} />
    </>
  );
  return (
    <UrlTabs
      param="view"
      tabs={{
        // The key discards the rows of a replaced file.
        rows: { label: "Rows", panel: <DataRows key={lake.read_at} lake={lake} remedies={remedies} /> },
        columns: { label: "Columns", panel: columns },
      }}
    />
  );
}
