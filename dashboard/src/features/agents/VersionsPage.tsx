import { Button, Grid, Group, Select, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconHistory } from "@tabler/icons-react";
import { useState } from "react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName, useOrganizationId } from "../../api/organization";
import { fetchAllPages } from "../../api/pagination";
import { useWorkflows } from "../../api/queries";
import { EmptyState } from "../../components/EmptyState";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary, LoadingIndicator } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";
import { asDocument } from "../../graph/document";
import { ChangeList } from "./ChangeList";
import { DRAFT, useVersionDocument } from "./useVersionDocument";
import { readWorkflow, type Workflow } from "./useDraftSaving";
import classes from "./versions.module.css";

/** Compares two versions of an agent and restores old ones. */
export default function VersionsPage() {
  const orgId = useOrganizationId();
  const { workflowId = "" } = useParams();
  const agent = useWorkflows(orgId).data?.find((each) => each.id === workflowId)?.name;
  const [search, setSearch] = useSearchParams();
  const versions = useQuery({
    queryKey: ["organization", orgId, "workflow", workflowId, "versions"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/versions", {
            params: { path: { orgId, workflowId }, query: { limit: 100, after } },
          }),
        ),
      ),
  });
  return (
    <Page
      title={agent ? `Versions of ${agent}` : "Versions"}
      back={{ to: `/organizations/${orgId}/agents/${workflowId}`, label: agent ?? "Agent" }}
      about="Runs always finish on the version they started with."
    >
      <QueryBoundary query={versions}>
        {(all) => {
          if (all.length === 0) {
            return (
              <EmptyState icon={IconHistory} title="No published versions yet">
                Publish the draft to create version 1.
              </EmptyState>
            );
          }
          const newest = Math.max(...all.map((each) => each.version));
          const before = search.get("before") ?? String(newest);
          const after = search.get("after") ?? DRAFT;
          const choose = (name: "before" | "after", value: string | null) =>
            value && setSearch({ before, after, [name]: value }, { replace: true });
          return (
            <Grid gap="xl">
              <Grid.Col span={{ base: 12, md: 4 }}>
                <VersionList
                  versions={all}
                  newest={newest}
                  chosen={before}
                  onChoose={(version) => choose("before", version)}
                />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 8 }}>
                <Stack>
                  <Group align="flex-end" gap="xs">
                    <Title order={2} size="h4" mb={6}>
                      Changes from version {before} to
                    </Title>
                    <Select
                      w={150}
                      aria-label="Compared with"
                      data={[
                        { value: DRAFT, label: "the draft" },
                        ...all.map((each) => ({
                          value: String(each.version),
                          label: `version ${each.version}`,
                        })),
                      ]}
                      allowDeselect={false}
                      value={after}
                      onChange={(value) => choose("after", value)}
                    />
                  </Group>
                  <Difference orgId={orgId} workflowId={workflowId} before={before} after={after} />
                </Stack>
              </Grid.Col>
            </Grid>
          );
        }}
      </QueryBoundary>
    </Page>
  );
}

interface ListProps {
  versions: Schemas["WorkflowVersionSummary"][];
  newest: number;
  chosen: string;
  onChoose: (version: string) => void;
}

/** The published versions, newest first. */
function VersionList({ versions, newest, chosen, onChoose }: ListProps) {
  const nameOf = useActorName();
  return (
    <ol className={classes.versions} aria-label="Published versions">
      {versions.map(({ version, note, published_at, published_by }) => (
        <li key={version}>
          <UnstyledButton
            className={classes.version}
            aria-current={String(version) === chosen || undefined}
            onClick={() => onChoose(String(version))}
          >
            <Group gap="xs">
              <Text span size="sm" fw={600}>
                Version {version}
              </Text>
              {version === newest && <StatusLabel status="Live" />}
            </Group>
            {note && (
              <Text size="sm" lineClamp={3}>
                {note}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <Time at={published_at} /> by {nameOf(published_by)}
            </Text>
          </UnstyledButton>
        </li>
      ))}
    </ol>
  );
}

interface Props {
  orgId: string;
  workflowId: string;
  before: string;
  after: string;
}

function Difference({ orgId, workflowId, before, after }: Props) {
  const left = useVersionDocument(orgId, workflowId, before);
  const right = useVersionDocument(orgId, workflowId, after);
  const navigate = useNavigate();
  /** The draft that restoring would overwrite, while the user is asked. */
  const [overwritten, setOverwritten] = useState<Workflow | null>(null);
  const restore = useMutation({
    mutationFn: async (confirmed: Workflow | null): Promise<boolean> => {
      const draft = confirmed ?? (await readWorkflow(orgId, workflowId));
      if (!confirmed && draft.unpublished_changes) {
        setOverwritten(draft);
        return false;
      }
      await unwrap(
        api.PUT("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
          params: {
            path: { orgId, workflowId },
            query: { allow_invalid: true },
            header: { "If-Match": draft.etag },
          },
          body: left.data ?? {},
        }),
      );
      return true;
    },
    onSuccess: async (restored) => {
      if (!restored) {
        return;
      }
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflow", workflowId] });
      notifications.show({
        message: `Version ${before} restored to the draft. Publish to make it live.`,
      });
      void navigate(`/organizations/${orgId}/agents/${workflowId}`);
    },
  });
  if (left.data === undefined || right.data === undefined) {
    const error = left.error ?? right.error;
    return error ? <ErrorNotice error={error} /> : <LoadingIndicator />;
  }
  const document = left.data;
  const isSame = JSON.stringify(document) === JSON.stringify(right.data);
  return (
    <Stack gap="sm">
      {before !== DRAFT && !isSame && (
        <Group justify="flex-end">
          <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate(null)}>
            Restore version {before} to the draft
          </Button>
        </Group>
      )}
      <ErrorNotice error={restore.error} />
      <ConfirmDialog
        opened={overwritten !== null}
        title={`Restore version ${before}?`}
        action="Restore"
        mutation={restore}
        onConfirm={() => restore.mutate(overwritten)}
        onClose={() => setOverwritten(null)}
      >
        <Text size="sm">
          The draft has changes that aren’t published, last saved <Time at={overwritten?.updated_at} />.
          They’ll be overwritten.
        </Text>
      </ConfirmDialog>
      <ChangeList before={asDocument(document)} after={asDocument(right.data)} />
    </Stack>
  );
}
