import { Alert, Button, Grid, Group, Stack, Text, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { isConflict, useConflict, type Tagged } from "../../api/conflict";
import { useActorName, useIsAdmin } from "../../api/organization";
import { ApiError, fieldErrors } from "../../api/problem";
import { changedBy, ConflictDialog } from "../../components/ConflictDialog";
import { DeleteButton } from "../../components/DeleteButton";
import { DraftNotice } from "../../components/DraftNotice";
import { ErrorNotice } from "../../components/ErrorNotice";
import { forgetUnsavedChanges, useUnsavedChanges } from "../../components/leaveGuard";
import { Page } from "../../components/Page";
import { LoadingIndicator } from "../../components/QueryBoundary";
import { formatDateTime } from "../../components/Time";
import { UsageWarning, UsedBy } from "../../components/UsedBy";
import { useLocalDraft } from "../../components/useLocalDraft";
import { queryClient } from "../../queryClient";
import { ValidationIssuesContext } from "../agents/validation";
import { CodeParameters } from "./CodeParameters";
import { CompareVersions, VersionPicker } from "./CodeVersions";
import { DryRun } from "./DryRun";
import type { DryRunState } from "./useDryRun";

const CodeEditor = lazy(() => import("../../components/CodeEditor"));

const ROUTE = "/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}";
const VERSION = ["version"];

type Artifact = Schemas["CodeArtifact"];
type Content = Pick<Artifact, "name" | "inputs" | "outputs"> & { source: string };

const contentOf = ({ name, source, inputs, outputs }: Artifact): Content => ({
  name,
  source: source ?? "",
  inputs,
  outputs,
});

const textOf = ({ name, source, inputs, outputs }: Content) =>
  `Name: ${name}\nInputs: ${JSON.stringify(inputs)}\nOutputs: ${JSON.stringify(outputs)}\n\n${source}`;

interface Props {
  orgId: string;
  newest: Tagged<Artifact>;
  /** The newest version, or an older one. */
  shown: Artifact;
  readNewest: () => Promise<Tagged<Artifact>>;
  dryRun: DryRunState;
}

export function ArtifactEditor({ orgId, newest, shown, readNewest, dryRun }: Props) {
  const isAdmin = useIsAdmin();
  const nameOf = useActorName();
  const saved = useMemo(() => contentOf(shown), [shown]);
  const [content, setContent] = useState(saved);
  const [, setSearch] = useSearchParams();
  const dirty = JSON.stringify(content) !== JSON.stringify(saved);
  const isOld = shown.version !== newest.version;
  const local = useLocalDraft(`code/${shown.id}/${shown.version}`, content, dirty);
  useUnsavedChanges(dirty, { kept: true, searchParams: VERSION });
  const set = (change: Partial<Content>) => setContent((now) => ({ ...now, ...change }));
  const path = { orgId, artifactId: shown.id };
  const listKey = ["organization", orgId, "code-artifacts"];
  const conflict = useConflict(
    [...listKey, shown.id, "latest"],
    newest,
    readNewest,
    { etag: newest.etag, changedAt: newest.updated_at },
    (theirs) => ({ by: theirs.created_by, at: theirs.updated_at }),
  );
  const showNewest = async () => {
    forgetUnsavedChanges();
    await queryClient.invalidateQueries({ queryKey: listKey });
    void setSearch({}, { replace: true });
  };
  const save = useMutation({
    scope: { id: `code ${shown.id}` },
    mutationFn: (etag: string) =>
      unwrap(
        api.PUT(ROUTE, {
          params: { path, header: { "If-Match": etag } },
          body: { ...content, name: content.name.trim() },
        }),
      ),
    onSuccess: async ({ version }) => {
      local.clear();
      notifications.show({
        message: `Version ${version} saved. Agents use it after you publish them again.`,
      });
      await showNewest();
    },
    onError: (error) => {
      if (isConflict(error)) {
        void conflict.refused();
      }
    },
  });
  const canSave = isAdmin && (dirty || isOld);
  useHotkeys([["mod+S", () => canSave && !save.isPending && save.mutate(newest.etag)]], [], true);
  const { at } = fieldErrors(save.error);
  const { theirs, change, open } = conflict;
  return (
    <Page
      title={shown.name}
      back={{ to: `/organizations/${orgId}/code`, label: "Code" }}
      about={
        <>
          {shown.language === "python" ? "Python" : "JavaScript"} · ID {shown.id} ·{" "}
          <span role="status">{dirty ? "Unsaved changes" : `Saved ${formatDateTime(shown.updated_at)}`}</span>
        </>
      }
      actions={
        <>
          <VersionPicker orgId={orgId} artifactId={shown.id} version={shown.version} />
          <CompareVersions
            orgId={orgId}
            artifactId={shown.id}
            version={dirty ? shown.version : Math.max(1, shown.version - 1)}
            source={content.source}
          />
          {isAdmin && (
            <Button disabled={!canSave} loading={save.isPending} onClick={() => save.mutate(newest.etag)}>
              Save as new version
            </Button>
          )}
          {isAdmin && (
            <DeleteButton
              inMenu
              name={shown.name}
              action="Delete code"
              consequence="Agents can no longer use it. Runs already started keep their copy."
              remove={async () => {
                await unwrap(api.DELETE(ROUTE, { params: { path, header: { "If-Match": newest.etag } } }));
                forgetUnsavedChanges();
              }}
              listPath={`/organizations/${orgId}/code`}
              listKey={listKey}
            >
              <UsageWarning orgId={orgId} kind="code_artifact" id={shown.id} />
            </DeleteButton>
          )}
        </>
      }
    >
      <DraftNotice draft={local} onRestore={setContent} />
      {change && (
        <Alert color="yellow" role="status" py="xs">
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              Changed by {changedBy(nameOf(change.by))}, {formatDateTime(change.at)}.
            </Text>
            <Button size="xs" variant="default" onClick={dirty ? conflict.show : () => void showNewest()}>
              {dirty ? "Compare" : "Show the new version"}
            </Button>
          </Group>
        </Alert>
      )}
      <ErrorNotice
        error={isConflict(save.error) && change ? null : save.error}
        fieldPaths={["/name", "/source"]}
      />
      <ConflictDialog
        change={open ? change : null}
        texts={open && theirs ? { mine: textOf(content), theirs: textOf(contentOf(theirs)) } : null}
        onKeepMine={() => {
          if (theirs) {
            save.mutate(theirs.etag);
          }
          conflict.close();
        }}
        onTakeTheirs={() => {
          local.clear();
          void showNewest();
        }}
        onClose={conflict.close}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="sm">
            <TextInput
              label="Name"
              readOnly={!isAdmin}
              value={content.name}
              error={at("/name")}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <Suspense fallback={<LoadingIndicator />}>
              <CodeEditor
                label="Source"
                language={shown.language}
                readOnly={!isAdmin}
                value={content.source}
                onChange={(source) => set({ source })}
              />
            </Suspense>
            {at("/source") && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {at("/source")}
              </Text>
            )}
            <DryRun state={dryRun} artifact={shown} draft={isAdmin ? content.source : null} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <UsedBy orgId={orgId} kind="code_artifact" id={shown.id} />
            <ValidationIssuesContext value={save.error instanceof ApiError ? save.error.violations : []}>
              <CodeParameters content={content} readOnly={!isAdmin} errorAt={at} onChange={set} />
            </ValidationIssuesContext>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
