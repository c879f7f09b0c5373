import { Alert, Box, Button, Grid, Group, Stack, Text, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { isConflict, unwrapTagged, useConflict, type Tagged } from "../../api/conflict";
import { useActorName, useIsAdmin } from "../../api/organization";
import { ApiError, fieldErrors } from "../../api/problem";
import { useCodeArtifacts } from "../../api/queries";
import { changedBy, ConflictDialog } from "../../components/ConflictDialog";
import { DeleteButton } from "../../components/DeleteButton";
import { DraftNotice } from "../../components/DraftNotice";
import { ErrorNotice } from "../../components/ErrorNotice";
import { forgetUnsavedChanges, useUnsavedChanges } from "../../components/leaveGuard";
import { nameError } from "../../components/nameError";
import { Page } from "../../components/Page";
import { LoadingIndicator } from "../../components/QueryBoundary";
import { formatDateTime } from "../../components/Time";
import { UsageWarning, UsedBy, USAGES_SHOWN, useUsages } from "../../components/UsedBy";
import { useLocalDraft } from "../../components/useLocalDraft";
import { queryClient } from "../../queryClient";
import { ValidationIssuesContext } from "../agents/validation";
import { CodeErrorText } from "./CodeErrorText";
import { CodeParameters } from "./CodeParameters";
import { codeText } from "./codeText";
import { CompareVersions, useVersions, VersionPicker } from "./CodeVersions";
import { DryRun } from "./DryRun";
import { savedText } from "./savedText";
import { markedError, type DryRunState } from "./useDryRun";

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

interface Props {
  orgId: string;
  newest: Tagged<Artifact>;
  /** The newest version, or an older one. */
  shown: Artifact;
  readNewest: () => Promise<Tagged<Artifact>>;
  /** Called with the new version. */
  onSaved: (saved: Tagged<Artifact>) => void;
  dryRun: DryRunState;
}

export function ArtifactEditor({ orgId, newest, shown, readNewest, onSaved, dryRun }: Props) {
  const isAdmin = useIsAdmin();
  const nameOf = useActorName();
  const saved = useMemo(() => contentOf(shown), [shown]);
  const [content, setContent] = useState(saved);
  const [, setSearch] = useSearchParams();
  const dirty = JSON.stringify(content) !== JSON.stringify(saved);
  const isOld = shown.version !== newest.version;
  const version = useVersions(orgId, shown.id)?.find((each) => each.version === shown.version);
  const savedAt = isOld ? version?.created_at : shown.updated_at;
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
  const usages = useUsages(orgId, "code_artifact", [shown.id], USAGES_SHOWN);
  const showNewest = async () => {
    forgetUnsavedChanges();
    await queryClient.invalidateQueries({ queryKey: listKey });
    void setSearch({}, { replace: true });
  };
  const save = useMutation({
    scope: { id: `code ${shown.id}` },
    mutationFn: ({ etag, sent }: { etag: string; sent: Content }) =>
      unwrapTagged(
        api.PUT(ROUTE, {
          params: { path, header: { "If-Match": etag } },
          body: { ...sent, name: sent.name.trim() },
        }),
      ),
    onSuccess: async (stored, { sent }) => {
      local.clear();
      notifications.show({ message: savedText(stored.version, usages.data?.get(String(shown.id))) });
      if (isOld) {
        await showNewest();
      } else {
        setContent((now) => (now === sent ? contentOf(stored) : now));
        onSaved(stored);
        await queryClient.invalidateQueries({ queryKey: listKey });
      }
    },
    onError: (error) => {
      if (isConflict(error)) {
        void conflict.refused();
      }
    },
  });
  const saveOver = (etag: string) => save.mutate({ etag, sent: content });
  const all = useCodeArtifacts(orgId).data;
  const taken = content.name === saved.name ? undefined : nameError(all, content.name, shown.id);
  const canSave = isAdmin && dirty && taken === undefined;
  useHotkeys([["mod+S", () => canSave && !save.isPending && saveOver(newest.etag)]], [], true);
  const { at } = fieldErrors(save.error);
  const sourceError = at("/source");
  const { theirs, change, open } = conflict;
  const draft = isAdmin ? { source: content.source, outputs: content.outputs } : null;
  return (
    <Page
      title={shown.name}
      back={{ to: `/organizations/${orgId}/code`, label: "Code" }}
      about={
        <>
          {shown.language === "python" ? "Python" : "JavaScript"} · ID {shown.id} ·{" "}
          <span role="status">
            {dirty ? "Unsaved changes" : savedAt && `Saved ${formatDateTime(savedAt)}`}
          </span>
        </>
      }
      actions={
        <>
          <VersionPicker orgId={orgId} artifactId={shown.id} version={shown.version} />
          <CompareVersions
            orgId={orgId}
            artifactId={shown.id}
            version={dirty ? shown.version : Math.max(1, shown.version - 1)}
            isOnlyText={!dirty && newest.version === 1}
            text={codeText(content)}
          />
          {isAdmin && (
            <Button disabled={!canSave} loading={save.isPending} onClick={() => saveOver(newest.etag)}>
              Save as new version
            </Button>
          )}
          {isAdmin && (
            <DeleteButton
              inMenu
              name={shown.name}
              action="Delete code"
              consequence="Agents can no longer use it. Runs already started keep their copy. This can’t be undone."
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
      {isOld && (
        <Alert color="blue" role="status" py="xs">
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              This is an old version
              {version && `, saved ${formatDateTime(version.created_at)} by ${nameOf(version.created_by)}`}.
              The newest is version {newest.version}.
            </Text>
            {isAdmin && !dirty && (
              <Button
                size="xs"
                variant="default"
                loading={save.isPending}
                onClick={() => saveOver(newest.etag)}
              >
                Restore this version
              </Button>
            )}
          </Group>
        </Alert>
      )}
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
        texts={open && theirs ? { mine: codeText(content), theirs: codeText(contentOf(theirs)) } : null}
        onKeepMine={() => {
          if (theirs) {
            saveOver(theirs.etag);
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
              error={taken ?? at("/name")}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <Suspense fallback={<LoadingIndicator />}>
              <CodeEditor
                label="Source"
                language={shown.language}
                readOnly={!isAdmin}
                value={content.source}
                names={content}
                error={markedError(dryRun, { artifact: shown, draft })}
                onChange={(source) => set({ source })}
              />
            </Suspense>
            {sourceError !== undefined && (
              <Box c="var(--mantine-color-error)" role="alert">
                <CodeErrorText detail={sourceError} />
              </Box>
            )}
            <DryRun state={dryRun} artifact={shown} draft={draft} inputs={content.inputs} />
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
