import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconHistory } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { api, ask } from "../../api/client";
import { useActorName, useOrganizationId } from "../../api/organization";
import { everyPage } from "../../api/pages";
import { EmptyState } from "../../parts/EmptyState";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Loaded, Waiting } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { Time } from "../../parts/Time";
import { queryClient } from "../../queryClient";
import { diffLines } from "./diff";
import classes from "./versions.module.css";

const DRAFT = "draft";

/** Published versions and the draft: what differs between two of them, and the way back. */
export default function VersionsPage() {
  const orgId = useOrganizationId();
  const { workflowId = "" } = useParams();
  const nameOf = useActorName();
  const [search, setSearch] = useSearchParams();
  const versions = useQuery({
    queryKey: ["organization", orgId, "workflow", workflowId, "versions"],
    queryFn: () =>
      everyPage((after) =>
        ask(
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
      about="A run keeps the version that it started with."
    >
      <Loaded query={versions}>
        {(all) => {
          if (all.length === 0) {
            return (
              <EmptyState icon={IconHistory} title="Nothing is published yet">
                Publishing the draft makes version 1.
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
              "As it was saved last"
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
      </Loaded>
    </Page>
  );
}

/** The document of a version, or of the draft. */
function useVersion(orgId: string, workflowId: string, version: string) {
  const params = { path: { orgId, workflowId } };
  return useQuery({
    queryKey: ["organization", orgId, "workflow", workflowId, "document", version],
    queryFn: async (): Promise<Record<string, unknown>> => {
      const found =
        version === DRAFT
          ? await ask(api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", { params }))
          : await ask(
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
      ask(
        api.PUT("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
          params: { path: { orgId, workflowId }, query: { allow_invalid: true } },
          body: document,
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflow", workflowId] });
      notifications.show({
        message: `The draft is now as version ${before} was; publish it to make it count.`,
      });
      void navigate(`/organizations/${orgId}/agents/${workflowId}`);
    },
  });
  if (left.data === undefined || right.data === undefined) {
    const error = left.error ?? right.error;
    return error ? <ErrorNotice error={error} /> : <Waiting />;
  }
  const document = left.data;
  const lines = diffLines(JSON.stringify(document, null, 2), JSON.stringify(right.data, null, 2));
  const count = (kind: "gone" | "new") => {
    const found = lines.filter((line) => line.kind === kind).length;
    return `${found} ${found === 1 ? "line" : "lines"}`;
  };
  const changed = lines.some((line) => line.kind !== "same");
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" role="status">
          {changed ? `${count("gone")} gone, ${count("new")} new` : "The two are the same."}
        </Text>
        {before !== DRAFT && (
          <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate(document)}>
            Restore version {before} as the draft
          </Button>
        )}
      </Group>
      <ErrorNotice error={restore.error} />
      <pre className={classes.diff} tabIndex={0} aria-label="Differences">
        {lines.map((line, index) => (
          // A line is what stands at its place.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} data-kind={line.kind}>
            {{ same: "  ", gone: "− ", new: "+ " }[line.kind]}
            {line.text}
          </div>
        ))}
      </pre>
    </Stack>
  );
}
