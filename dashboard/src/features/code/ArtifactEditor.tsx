import { Box, Button, Grid, Stack, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useMemo, useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { NoticeBar } from "../../components/NoticeBar";
import {
  ApiError,
  CODE,
  deleteCode,
  fieldErrors,
  isConflict,
  organizationKey,
  readCode,
  refetch,
  saveCode,
  useCodeArtifacts,
  useCodeVersions,
  useConflict,
  useIsAdmin,
  useOrganizationId,
  useUsages,
  type Schemas,
  type Tagged,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import { SmallButton } from "../../components/variants";
import { ConflictDialog, ChangeNotice } from "../../components/ConflictDialog";
import { DeleteButton } from "../../components/DeleteButton";
import { DraftNotice } from "../../components/DraftNotice";
import { ErrorNotice } from "../../components/ErrorNotice";
import { forgetUnsavedChanges, useUnsavedChanges } from "../../components/leaveGuard";
import { nameError } from "../../components/nameError";
import { Page } from "../../components/Page";
import { formatDateTime } from "../../components/Time";
import { UsageWarning, UsedBy, USAGES_SHOWN } from "../../components/UsedBy";
import { lazily } from "../../components/lazily";
import { useLocalDraft } from "../../components/useLocalDraft";
import { ValidationIssuesContext } from "../../values/validation";
import { CodeErrorText } from "./CodeErrorText";
import { CodeParameters } from "./CodeParameters";
import { codeText } from "./codeText";
import { CompareVersions, VersionPicker } from "./CodeVersions";
import { DryRun } from "./DryRun";
import { savedText } from "./savedText";
import { markedError, type DryRunState } from "./useDryRun";

const CodeEditor = lazily(() => import("../../components/CodeEditor"));

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
  newest: Tagged<Artifact>;
  /** The newest version, or an older one. */
  shown: Artifact;
  /** Called with the new version. */
  onSaved: (saved: Tagged<Artifact>) => void;
  dryRun: DryRunState;
}

/** The edited content, and the actions that save it as a new version. */
function useEditedCode({ newest, shown, onSaved }: Omit<Props, "dryRun">) {
  const orgId = useOrganizationId();
  const saved = useMemo(() => contentOf(shown), [shown]);
  const [content, setContent] = useState(saved);
  const [, setSearch] = useSearchParams();
  const dirty = JSON.stringify(content) !== JSON.stringify(saved);
  const isOld = shown.version !== newest.version;
  const version = useCodeVersions(shown.id)?.find((each) => each.version === shown.version);
  const savedAt = isOld ? version?.created_at : shown.updated_at;
  const local = useLocalDraft(`code/${shown.id}/${shown.version}`, content, dirty);
  useUnsavedChanges(dirty, { kept: true, searchParams: VERSION });
  const set = (change: Partial<Content>) => setContent((now) => ({ ...now, ...change }));
  const conflict = useConflict(organizationKey(orgId, CODE, shown.id, "latest"), newest, () =>
    readCode(orgId, shown.id),
  );
  const usages = useUsages("code_artifact", [shown.id], USAGES_SHOWN);
  const showNewest = async () => {
    forgetUnsavedChanges();
    await refetch(orgId, CODE);
    void setSearch({}, { replace: true });
  };
  const save = useMutation({
    scope: { id: `code ${shown.id}` },
    mutationFn: ({ etag, sent }: { etag: string; sent: Content }) => saveCode(orgId, shown.id, sent, etag),
    onSuccess: async (stored, { sent }) => {
      local.clear();
      notifications.show({ message: savedText(stored.version, usages.data?.get(String(shown.id))) });
      if (isOld) {
        await showNewest();
      } else {
        setContent((now) => (now === sent ? contentOf(stored) : now));
        onSaved(stored);
        await refetch(orgId, CODE);
      }
    },
    onError: conflict.onError,
  });
  const saveOver = (etag: string) => save.mutate({ etag, sent: content });
  return {
    content,
    setContent,
    set,
    saved,
    dirty,
    isOld,
    version,
    savedAt,
    local,
    conflict,
    showNewest,
    save,
    saveOver,
  };
}

export function ArtifactEditor(props: Props) {
  const { newest, shown, dryRun } = props;
  const isAdmin = useIsAdmin();
  const edited = useEditedCode(props);
  const { content, set, saved, dirty, isOld, version, savedAt, local, conflict, save, saveOver } = edited;
  const all = useCodeArtifacts().data;
  const taken = content.name === saved.name ? undefined : nameError(all, content.name, shown.id);
  const canSave = isAdmin && dirty && taken === undefined;
  useHotkeys([["mod+S", () => canSave && !save.isPending && saveOver(newest.etag)]], [], true);
  const { at } = fieldErrors(save.error);
  const sourceError = at("/source");
  const { change } = conflict;
  const draft = isAdmin ? { source: content.source, outputs: content.outputs } : null;
  return (
    <Page
      title={shown.name}
      back={{ to: "code", label: "Code" }}
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
          <VersionPicker artifactId={shown.id} version={shown.version} />
          <CompareVersions
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
          {isAdmin && <DeleteCode name={shown.name} id={shown.id} etag={newest.etag} />}
        </>
      }
    >
      {isOld && (
        <OldVersionNotice version={version} newest={newest.version}>
          {isAdmin && !dirty && (
            <SmallButton loading={save.isPending} onClick={() => saveOver(newest.etag)}>
              Restore this version
            </SmallButton>
          )}
        </OldVersionNotice>
      )}
      <DraftNotice draft={local} onRestore={edited.setContent} />
      {change && (
        <ChangeNotice change={change}>
          <SmallButton onClick={dirty ? conflict.show : () => void edited.showNewest()}>
            {dirty ? "Compare" : "Show the new version"}
          </SmallButton>
        </ChangeNotice>
      )}
      <ErrorNotice
        error={isConflict(save.error) && change ? null : save.error}
        fieldPaths={["/name", "/source"]}
      />
      <ConflictDialog
        conflict={conflict}
        texts={(theirs) => ({ mine: codeText(content), theirs: codeText(contentOf(theirs)) })}
        onKeepMine={({ etag }) => {
          saveOver(etag);
          conflict.close();
        }}
        onTakeTheirs={() => {
          local.clear();
          void edited.showNewest();
        }}
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
            <CodeEditor
              label="Source"
              language={shown.language}
              readOnly={!isAdmin}
              value={content.source}
              names={content}
              error={markedError(dryRun, { artifact: shown, draft })}
              onChange={(source) => set({ source })}
            />
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
            <UsedBy kind="code_artifact" id={shown.id} />
            <ValidationIssuesContext value={save.error instanceof ApiError ? save.error.violations : []}>
              <CodeParameters content={content} readOnly={!isAdmin} errorAt={at} onChange={set} />
            </ValidationIssuesContext>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

interface OldVersionProps {
  version: Schemas["CodeArtifactVersion"] | undefined;
  /** The newest version. */
  newest: number;
  children: ReactNode;
}

function OldVersionNotice({ version, newest, children }: OldVersionProps) {
  const nameOf = useActorName();
  const saved = version && `, saved ${formatDateTime(version.created_at)} by ${nameOf(version.created_by)}`;
  return (
    <NoticeBar color="blue" text={`This is an old version${saved ?? ""}. The newest is version ${newest}.`}>
      {children}
    </NoticeBar>
  );
}

function DeleteCode({ name, id, etag }: { name: string; id: number; etag: string }) {
  const orgId = useOrganizationId();
  return (
    <DeleteButton
      inMenu
      name={name}
      action="Delete code"
      consequence="Agents can no longer use it. Runs already started keep their copy. This can’t be undone."
      remove={async () => {
        await deleteCode(orgId, id, etag);
        forgetUnsavedChanges();
      }}
      listPath={`/organizations/${orgId}/code`}
      listKey={organizationKey(orgId, CODE)}
    >
      <UsageWarning kind="code_artifact" id={id} />
    </DeleteButton>
  );
}
