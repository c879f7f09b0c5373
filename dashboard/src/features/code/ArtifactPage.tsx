import { Button, Grid, Group, Select, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { everyPage } from "../../api/pages";
import { faultsOf } from "../../api/problem";
import { DeleteButton } from "../../parts/DeleteButton";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Loaded, Waiting } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { queryClient } from "../../queryClient";
import { DryRun } from "./DryRun";

const CodeEditor = lazy(() => import("../../parts/CodeEditor"));

/** One artifact: its newest version in an editor, or an older one to look at and to bring back. */
export default function ArtifactPage() {
  const orgId = useOrganizationId();
  const artifactId = Number(useParams().artifactId);
  const [search] = useSearchParams();
  const version = search.get("version");
  const artifact = useQuery({
    queryKey: ["organization", orgId, "code-artifacts", artifactId, version],
    queryFn: () =>
      version === null
        ? ask(
            api.GET("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}", {
              params: { path: { orgId, artifactId } },
            }),
          )
        : ask(
            api.GET("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}/versions/{version}", {
              params: { path: { orgId, artifactId, version: Number(version) } },
            }),
          ),
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  return (
    <Loaded query={artifact}>
      {(found) => <Artifact key={`${found.id}/${found.version}`} orgId={orgId} artifact={found} />}
    </Loaded>
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
      ask(
        api.PUT("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}", {
          params: { path: { orgId, artifactId } },
          body: { name: name.trim(), source, inputs: artifact.inputs, outputs: artifact.outputs },
        }),
      ),
    onSuccess: async (saved) => {
      notifications.show({ message: `Version ${saved.version} is saved; new runs use it.` });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "code-artifacts"] });
      setSearch({}, { replace: true });
    },
  });
  const { at } = faultsOf(save.error);
  // An older version may be saved as it is: that brings it back.
  const changed = source !== artifact.source || name !== artifact.name || search.has("version");
  return (
    <Page
      title={artifact.name}
      back={{ to: `/organizations/${orgId}/code`, label: "Code" }}
      about={`${artifact.language === "python" ? "Python" : "JavaScript"} · id ${artifact.id}, which Coder tasks name`}
      actions={
        <>
          <VersionPicker orgId={orgId} artifactId={artifactId} version={artifact.version} />
          {isAdmin && (
            <DeleteButton
              what={artifact.name}
              action="Delete code"
              consequence="No new agent can name it. Runs that were started with its code still run it."
              remove={() =>
                ask(
                  api.DELETE("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}", {
                    params: { path: { orgId, artifactId } },
                  }),
                )
              }
              list={`/organizations/${orgId}/code`}
              listKey={["organization", orgId, "code-artifacts"]}
            />
          )}
          {isAdmin && (
            <Button disabled={!changed} loading={save.isPending} onClick={() => save.mutate()}>
              Save as a new version
            </Button>
          )}
        </>
      }
    >
      <ErrorNotice error={save.error} shown={["/name"]} />
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
            <Suspense fallback={<Waiting />}>
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
      everyPage((after) =>
        ask(
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
