import { Button, Modal, Select, Stack, Text, type SelectProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useSearchParams } from "react-router";
import { api, unwrap } from "../../api/client";
import { useActorName } from "../../api/organization";
import { fetchAllPages } from "../../api/pagination";
import { LoadingIndicator, QueryBoundary } from "../../components/QueryBoundary";
import { formatDateTime } from "../../components/Time";
import { codeText } from "./codeText";

const TextDiff = lazy(() => import("../../components/TextDiff"));

const ROUTE = "/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}/versions";

interface Props {
  orgId: string;
  artifactId: number;
  version: number;
}

/** The versions, newest first. */
export function useVersions(orgId: string, artifactId: number) {
  return useQuery({
    queryKey: ["organization", orgId, "code-artifacts", artifactId, "versions"],
    queryFn: () =>
      fetchAllPages((after) =>
        unwrap(api.GET(ROUTE, { params: { path: { orgId, artifactId }, query: { limit: 100, after } } })),
      ),
  }).data;
}

/** The versions for a select, which shows when and by whom each was saved. */
function useVersionOptions(orgId: string, artifactId: number) {
  const nameOf = useActorName();
  const versions = useVersions(orgId, artifactId) ?? [];
  const data = versions.map(({ version }) => ({ value: String(version), label: `Version ${version}` }));
  const renderOption: SelectProps["renderOption"] = ({ option }) => {
    const found = versions.find(({ version }) => String(version) === option.value);
    return (
      <div>
        <Text size="sm">{option.label}</Text>
        {found && (
          <Text size="xs" c="dimmed">
            {formatDateTime(found.created_at)}, {nameOf(found.created_by)}
          </Text>
        )}
      </div>
    );
  };
  return { data, renderOption };
}

export function VersionPicker({ orgId, artifactId, version }: Props) {
  const [, setSearch] = useSearchParams();
  return (
    <Select
      w={150}
      aria-label="Version"
      allowDeselect={false}
      comboboxProps={{ width: 240, position: "bottom-end" }}
      {...useVersionOptions(orgId, artifactId)}
      value={String(version)}
      onChange={(chosen) => chosen && setSearch({ version: chosen }, { replace: true })}
    />
  );
}

interface CompareProps extends Props {
  text: string;
  /** Whether there is one version, and the editor has no changes. */
  isOnlyText: boolean;
}

/** Compares the editor with a version. */
export function CompareVersions({ text, isOnlyText, ...props }: CompareProps) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Compare
      </Button>
      <Modal opened={opened} onClose={dialog.close} size="xl" title="Compare with a version">
        {isOnlyText ? (
          <Text size="sm">There is only version 1, and you haven’t changed it.</Text>
        ) : (
          <Comparison {...props} text={text} />
        )}
      </Modal>
    </>
  );
}

function Comparison({ orgId, artifactId, version, text }: Props & { text: string }) {
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
        {...useVersionOptions(orgId, artifactId)}
        value={String(chosen)}
        onChange={(next) => next && setChosen(Number(next))}
      />
      <QueryBoundary query={before}>
        {(found) => (
          <Suspense fallback={<LoadingIndicator />}>
            <TextDiff
              before={codeText(found)}
              after={text}
              label={`Version ${chosen} compared with the editor`}
            />
          </Suspense>
        )}
      </QueryBoundary>
    </Stack>
  );
}
