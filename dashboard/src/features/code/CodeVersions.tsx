import { Button, Modal, Select, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useSearchParams } from "react-router";
import { api, unwrap } from "../../api/client";
import { fetchAllPages } from "../../api/pagination";
import { LoadingIndicator, QueryBoundary } from "../../components/QueryBoundary";

const TextDiff = lazy(() => import("../../components/TextDiff"));

const ROUTE = "/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}/versions";

interface Props {
  orgId: string;
  artifactId: number;
  version: number;
}

function useVersionOptions(orgId: string, artifactId: number) {
  const versions = useQuery({
    queryKey: ["organization", orgId, "code-artifacts", artifactId, "versions"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(api.GET(ROUTE, { params: { path: { orgId, artifactId }, query: { limit: 100, after } } })),
      ),
  });
  return (versions.data ?? []).map((each) => ({
    value: String(each.version),
    label: `Version ${each.version}`,
  }));
}

export function VersionPicker({ orgId, artifactId, version }: Props) {
  const [, setSearch] = useSearchParams();
  return (
    <Select
      w={150}
      aria-label="Version"
      allowDeselect={false}
      data={useVersionOptions(orgId, artifactId)}
      value={String(version)}
      onChange={(chosen) => chosen && setSearch({ version: chosen }, { replace: true })}
    />
  );
}

/** Compares the text in the editor with a version. */
export function CompareVersions({ source, ...props }: Props & { source: string }) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Compare
      </Button>
      <Modal opened={opened} onClose={dialog.close} size="xl" title="Compare with a version">
        <Comparison {...props} source={source} />
      </Modal>
    </>
  );
}

function Comparison({ orgId, artifactId, version, source }: Props & { source: string }) {
  const [chosen, setChosen] = useState(version);
  const before = useQuery({
    queryKey: ["organization", orgId, "code-artifacts", artifactId, "version", String(chosen)],
    queryFn: () =>
      unwrap(api.GET(`${ROUTE}/{version}`, { params: { path: { orgId, artifactId, version: chosen } } })),
    staleTime: Infinity,
  });
  return (
    <Stack>
      <Select
        label="Version"
        allowDeselect={false}
        data={useVersionOptions(orgId, artifactId)}
        value={String(chosen)}
        onChange={(next) => next && setChosen(Number(next))}
      />
      <QueryBoundary query={before}>
        {(found) => (
          <Suspense fallback={<LoadingIndicator />}>
            <TextDiff
              before={found.source ?? ""}
              after={source}
              label={`Version ${chosen} compared with the editor`}
            />
          </Suspense>
        )}
      </QueryBoundary>
    </Stack>
  );
}
