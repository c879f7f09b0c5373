import { Button, Grid, Group, Select, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { fetchAllPages } from "../../api/pagination";
import { fieldErrors } from "../../api/problem";
import { DeleteButton } from "../../components/DeleteButton";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary, LoadingIndicator } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { queryClient } from "../../queryClient";
import { DryRun } from "./DryRun";

const CodeEditor = lazy(() => import("../../components/CodeEditor"));

/** The latest version of a code artifact in an editor, or an older one to view and restore. */
export default function ArtifactPage() {
  const orgId = useOrganizationId();
  const artifactId = Number(useParams().artifactId);
  const [search] = useSearchParams();
  const version = search.get("version");
  const artifact = useQuery({
    queryKey: ["organization", orgId, "code-artifacts", artifactId, version],
    queryFn: () =>
      version === null
        ? unwrap(
            api.GET("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}", {
              params: { path: { orgId, artifactId } },
            }),
          )
        : unwrap(
            api.GET("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}/versions/{version}", {
              params: { path: { orgId, artifactId, version: Number(version) } },
            }),
          ),
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  return (
    <QueryBoundary query={artifact}>
      {(found) => <Artifact key={`${found.id}/${found.version}`} orgId={orgId} artifact={found} />}
    </QueryBoundary>
  );
}

function Artifact({ orgId, artifact }: { orgId: string; artifact: Schemas["CodeArtifact"] }) {
  const isAdmin = useIsAdmin();
  const [name, setName] = useState(artifact.name);
  const [source, setSource] = useState(artifact.source ?? "");
  const [search, setSearch] = useSearchParams();
  const artifactId = artifact.id;
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}", {
          params: { path: { orgId, artifactId } },
          body: { name: name.trim(), source, inputs: artifact.inputs, outputs: artifact.outputs },
        }),
      ),
    onSuccess: async (saved) => {
      notifications.show({ message: `Version ${saved.version} saved. New runs will use it.` });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "code-artifacts"] });
      setSearch({}, { replace: true });
    },
  });
  const { at } = fieldErrors(save.error);
  // Saving an unchanged older version restores it.
  const changed = source !== artifact.source || name !== artifact.name || search.has("version");
  return (
    <Page
      title={artifact.name}
      back={{ to: `/organizations/${orgId}/code`, label: "Code" }}
      about={`${artifact.language === "python" ? "Python" : "JavaScript"} · ID ${artifact.id}, used to reference it from Coder tasks`}
      actions={
        <>
          <VersionPicker orgId={orgId} artifactId={artifactId} version={artifact.version} />
          {isAdmin && (
            <DeleteButton
              name={artifact.name}
              action="Delete code"
              consequence="Agents can no longer use it. Runs already started keep their copy."
              remove={() =>
                unwrap(
                  api.DELETE("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}", {
                    params: { path: { orgId, artifactId } },
                  }),
                )
              }
              listPath={`/organizations/${orgId}/code`}
              listKey={["organization", orgId, "code-artifacts"]}
            />
          )}
          {isAdmin && (
            <Button disabled={!changed} loading={save.isPending} onClick={() => save.mutate()}>
              Save as new version
            </Button>
          )}
        </>
      }
    >
      <ErrorNotice error={save.error} fieldPaths={["/name"]} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="sm">
            <Group>
              <TextInput
                label="Name"
                flex={1}
                readOnly={!isAdmin}
                value={name}
                error={at("/name")}
                onChange={(event) => setName(event.currentTarget.value)}
              />
            </Group>
            <Suspense fallback={<LoadingIndicator />}>
              <CodeEditor
                label="Source"
                language={artifact.language}
                readOnly={!isAdmin}
                value={source}
                onChange={setSource}
              />
            </Suspense>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <DryRun orgId={orgId} artifact={artifact} draft={isAdmin ? source : null} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function VersionPicker({
  orgId,
  artifactId,
  version,
}: {
  orgId: string;
  artifactId: number;
  version: number;
}) {
  const [, setSearch] = useSearchParams();
  const versions = useQuery({
    queryKey: ["organization", orgId, "code-artifacts", artifactId, "versions"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}/versions", {
            params: { path: { orgId, artifactId }, query: { limit: 100, after } },
          }),
        ),
      ),
  });
  return (
    <Select
      w={150}
      aria-label="Version"
      allowDeselect={false}
      data={(versions.data ?? []).map((each) => ({
        value: String(each.version),
        label: `Version ${each.version}`,
      }))}
      value={String(version)}
      onChange={(chosen) => chosen && setSearch({ version: chosen }, { replace: true })}
    />
  );
}
