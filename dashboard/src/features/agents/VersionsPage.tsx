import { Grid, Group, SegmentedControl, Select, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useMemo } from "react";
import { useParams } from "react-router";
import {
  DRAFT,
  useAgentVersions,
  useSavedDraft,
  useVersionDocument,
  type Schemas,
  type Workflow,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import { SectionHeading, Dimmed, Strong, DimmedXs } from "../../components/variants";
import { EmptyState } from "../../components/EmptyState";
import { ErrorNotice } from "../../components/ErrorNotice";
import { JsonBlock } from "../../components/JsonBlock";
import { Page } from "../../components/Page";
import { LoadingIndicator, QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { lazily } from "../../components/lazily";
import { optionsOf } from "../../components/optionsOf";
import { useFilters } from "../../components/useFilters";
import { asDocument } from "../../graph/document";
import { ChangeList } from "./ChangeList";
import { RestoreVersion } from "./RestoreVersion";
import classes from "./versions.module.css";

const VersionGraph = lazily(() => import("./VersionGraph"));

/** What the first version is compared with. */
const NOTHING = "nothing";

const VIEWS = optionsOf({ changes: "Changes", graph: "Graph", json: "JSON" });

/** The versions of an agent: what each one changed, its graph, and its restoration. */
export default function VersionsPage() {
  const { workflowId = "" } = useParams();
  const agent = useSavedDraft(workflowId);
  const versions = useAgentVersions(workflowId);
  const name = agent.data?.name;
  return (
    <Page
      title={name ? `Versions of ${name}` : "Versions"}
      back={{ to: `agents/${workflowId}`, label: name ?? "Agent" }}
      about="Runs always finish on the version they started with."
    >
      <QueryBoundary query={versions}>
        {(all) => (
          <QueryBoundary query={agent}>
            {(found) =>
              all.length === 0 ? (
                <EmptyState icon={IconHistory} title="No published versions yet">
                  Publish the draft to create version 1.
                </EmptyState>
              ) : (
                <Versions agent={found} versions={all} />
              )
            }
          </QueryBoundary>
        )}
      </QueryBoundary>
    </Page>
  );
}

/** The name of a version within a sentence. */
const nameOfVersion = (version: string) => (version === DRAFT ? "the draft" : `version ${version}`);

/** The version that was published before this one. */
function versionBefore(version: string, versions: Schemas["WorkflowVersionSummary"][]): string {
  const older = versions
    .map((each) => each.version)
    .filter((each) => version === DRAFT || each < Number(version));
  return older.length === 0 ? NOTHING : String(Math.max(...older));
}

function Versions({ agent, versions }: { agent: Workflow; versions: Schemas["WorkflowVersionSummary"][] }) {
  const filters = useFilters();
  const newest = String(Math.max(...versions.map((each) => each.version)));
  const chosen = filters.get("version") ?? (agent.unpublished_changes ? DRAFT : newest);
  const before = filters.get("before") ?? versionBefore(chosen, versions);
  const view = VIEWS.find(({ value }) => value === filters.get("view"))?.value ?? "changes";
  const note = versions.find(({ version }) => String(version) === chosen)?.note;
  const choose = (version: string) => filters.setAll({ version, before: null });
  const compared = [
    ...(chosen === DRAFT ? [] : [{ value: DRAFT, label: "the draft" }]),
    ...versions
      .map((each) => String(each.version))
      .filter((version) => version !== chosen)
      .map((version) => ({ value: version, label: `version ${version}` })),
    ...(before === NOTHING ? [{ value: NOTHING, label: "an empty agent" }] : []),
  ];
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <VersionList
          versions={versions}
          newest={Number(newest)}
          draft={agent.unpublished_changes ? agent : null}
          chosen={chosen}
          onChoose={choose}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack>
          <Group justify="space-between">
            <SectionHeading>{chosen === DRAFT ? "Unpublished changes" : `Version ${chosen}`}</SectionHeading>
            <Group gap="xs">
              <SegmentedControl
                aria-label="View"
                data={VIEWS}
                value={view}
                onChange={(value) => filters.set("view", value === "changes" ? null : value)}
              />
              {chosen === newest && !agent.unpublished_changes ? (
                <Dimmed>The draft is the same as this version, so there is nothing to restore.</Dimmed>
              ) : (
                chosen !== DRAFT && <RestoreVersion workflowId={agent.id} version={chosen} />
              )}
            </Group>
          </Group>
          {note && (
            <Text size="sm" className={classes.note}>
              {note}
            </Text>
          )}
          {view !== "json" && (
            <Group gap="xs">
              <Dimmed>Compared with</Dimmed>
              <Select
                w={150}
                size="xs"
                aria-label="Compared with"
                data={compared}
                allowDeselect={false}
                value={before}
                onChange={(version) => version && filters.set("before", version)}
              />
            </Group>
          )}
          {view === "changes" ? (
            <Difference workflowId={agent.id} before={before} after={chosen} />
          ) : (
            <VersionView workflowId={agent.id} version={chosen} before={before} view={view} />
          )}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

interface ListProps {
  versions: Schemas["WorkflowVersionSummary"][];
  newest: number;
  /** The draft, if it has changes that are not published. */
  draft: Workflow | null;
  chosen: string;
  onChoose: (version: string) => void;
}

/** The unpublished changes and the published versions, newest first. */
function VersionList({ versions, newest, draft, chosen, onChoose }: ListProps) {
  const nameOf = useActorName();
  const entries = [
    ...(draft
      ? [
          {
            id: DRAFT,
            title: "Draft",
            note: null,
            at: draft.updated_at,
            by: draft.updated_by,
            badge: "Not published",
          },
        ]
      : []),
    ...versions.map(({ version, note, published_at, published_by }) => ({
      id: String(version),
      title: `Version ${version}`,
      note,
      at: published_at,
      by: published_by,
      badge: version === newest ? "Live" : null,
    })),
  ];
  return (
    <ol className={classes.versions} aria-label="Published versions">
      {entries.map(({ id, title, note, at, by, badge }) => (
        <li key={id}>
          <UnstyledButton
            className={classes.version}
            aria-current={id === chosen || undefined}
            onClick={() => onChoose(id)}
          >
            <Group gap="xs">
              <Strong span>{title}</Strong>
              {badge && <StatusLabel status={badge} />}
            </Group>
            {note && (
              <Text size="sm" lineClamp={2}>
                {note}
              </Text>
            )}
            <DimmedXs>
              <Time at={at} /> by {nameOf(by)}
            </DimmedXs>
          </UnstyledButton>
        </li>
      ))}
    </ol>
  );
}

const EMPTY = asDocument({});

function Difference({ workflowId, before, after }: { workflowId: string; before: string; after: string }) {
  const left = useVersionDocument(workflowId, before, before !== NOTHING);
  const right = useVersionDocument(workflowId, after);
  if (right.data === undefined || (left.data === undefined && before !== NOTHING)) {
    const error = left.error ?? right.error;
    return error ? <ErrorNotice error={error} /> : <LoadingIndicator />;
  }
  return (
    <section
      aria-label={`Changes from ${before === NOTHING ? "nothing" : nameOfVersion(before)} to ${nameOfVersion(after)}`}
    >
      <ChangeList before={left.data ? asDocument(left.data) : EMPTY} after={asDocument(right.data)} />
    </section>
  );
}

interface ViewProps {
  workflowId: string;
  version: string;
  before: string;
  view: string;
}

/** A version as it was, to read. Its graph marks the differences from the version before. */
function VersionView({ workflowId, version, before, view }: ViewProps) {
  const found = useVersionDocument(workflowId, version);
  const older = useVersionDocument(workflowId, before, before !== NOTHING && view === "graph");
  return (
    <QueryBoundary query={found}>
      {(raw) =>
        view === "json" ? (
          <JsonBlock value={raw} label="version as JSON" />
        ) : (
          <GraphView workflowId={workflowId} raw={raw} before={older.data} />
        )
      }
    </QueryBoundary>
  );
}

function GraphView({ workflowId, raw, before }: { workflowId: string; raw: unknown; before: unknown }) {
  const document = useMemo(() => asDocument(raw), [raw]);
  const older = useMemo(() => (before === undefined ? null : asDocument(before)), [before]);
  return <VersionGraph workflowId={workflowId} document={document} before={older} />;
}
