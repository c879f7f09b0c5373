import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconHistory } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { api, unwrap } from "../../api/client";
import { useActorName, useOrganizationId } from "../../api/organization";
import { fetchAllPages } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary, LoadingIndicator } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";
import { diffLines } from "./diff";
import classes from "./versions.module.css";

const DRAFT = "draft";

/** Compares two versions of an agent and restores old ones. */
export default function VersionsPage() {
  const orgId = useOrganizationId();
  const { workflowId = "" } = useParams();
  const nameOf = useActorName();
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
      title="Versions"
      back={{ to: `/organizations/${orgId}/agents/${workflowId}`, label: "Agent" }}
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
          const choices = [
            { value: DRAFT, label: "Draft" },
            ...all.map((each) => ({ value: String(each.version), label: `Version ${each.version}` })),
          ];
          const published = (version: string) => {
            const found = all.find((each) => String(each.version) === version);
            return found ? (
              <>
                <Time at={found.published_at} /> · {nameOf(found.published_by)}
              </>
            ) : (
              "Last saved"
            );
          };
          const option = ({ value, label }: { value: string; label: string }) => (
            <Stack gap={0}>
              {label}
              <Text span size="xs" c="dimmed">
                {published(value)}
              </Text>
            </Stack>
          );
          const newest = Math.max(...all.map((each) => each.version));
          const before = search.get("before") ?? String(newest);
          const after = search.get("after") ?? DRAFT;
          const choose = (name: string, value: string | null) =>
            value && setSearch({ before, after, [name]: value }, { replace: true });
          return (
            <Stack>
              <Group align="flex-end">
                <Select
                  w={300}
                  maw="100%"
                  label="From"
                  description={published(before)}
                  data={choices}
                  renderOption={(each) => option(each.option)}
                  allowDeselect={false}
                  value={before}
                  onChange={(value) => choose("before", value)}
                />
                <Select
                  w={300}
                  maw="100%"
                  label="To"
                  description={published(after)}
                  data={choices}
                  renderOption={(each) => option(each.option)}
                  allowDeselect={false}
                  value={after}
                  onChange={(value) => choose("after", value)}
                />
              </Group>
              <Difference orgId={orgId} workflowId={workflowId} before={before} after={after} />
            </Stack>
          );
        }}
      </QueryBoundary>
    </Page>
  );
}

/** The definition of a version or of the draft. */
function useVersion(orgId: string, workflowId: string, version: string) {
  const params = { path: { orgId, workflowId } };
  return useQuery({
    queryKey: ["organization", orgId, "workflow", workflowId, "document", version],
    queryFn: async (): Promise<Record<string, unknown>> => {
      const found =
        version === DRAFT
          ? await unwrap(api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", { params }))
          : await unwrap(
              api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/versions/{version}", {
                params: { path: { ...params.path, version: Number(version) } },
              }),
            );
      return found.document;
    },
    staleTime: version === DRAFT ? 0 : Infinity,
  });
}

interface Props {
  orgId: string;
  workflowId: string;
  before: string;
  after: string;
}

function Difference({ orgId, workflowId, before, after }: Props) {
  const left = useVersion(orgId, workflowId, before);
  const right = useVersion(orgId, workflowId, after);
  const navigate = useNavigate();
  const restore = useMutation({
    mutationFn: (document: Record<string, unknown>) =>
      unwrap(
        api.PUT("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
          params: { path: { orgId, workflowId }, query: { allow_invalid: true } },
          body: document,
        }),
      ),
    onSuccess: async () => {
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
  const lines = diffLines(JSON.stringify(document, null, 2), JSON.stringify(right.data, null, 2));
  const count = (kind: "removed" | "added") => {
    const found = lines.filter((line) => line.kind === kind).length;
    return `${found} ${found === 1 ? "line" : "lines"}`;
  };
  const changed = lines.some((line) => line.kind !== "same");
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" role="status">
          {changed ? `${count("removed")} removed, ${count("added")} added` : "No differences."}
        </Text>
        {before !== DRAFT && (
          <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate(document)}>
            Restore version {before} to the draft
          </Button>
        )}
      </Group>
      <ErrorNotice error={restore.error} />
      <pre className={classes.diff} tabIndex={0} aria-label="Differences">
        {lines.map((line, index) => (
          // Lines have no IDs.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} data-kind={line.kind}>
            {{ same: "  ", removed: "− ", added: "+ " }[line.kind]}
            {line.text}
          </div>
        ))}
      </pre>
    </Stack>
  );
}
