import { Alert, Anchor, Card, Grid, Group, Stack, Tabs, Text, Title } from "@mantine/core";
import { lazy, Suspense, useCallback } from "react";
import { Link, useParams } from "react-router";
import type { Schemas } from "../../api/client";
import { useLive } from "../../api/live";
import { useActorName, useOrganizationId } from "../../api/organization";
import { usePlaces } from "../../graph/places";
import { Json } from "../../parts/Json";
import { Loaded, Waiting } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { duration, Time } from "../../parts/Time";
import { Values } from "../../parts/values";
import { useFilters } from "../../parts/useFilters";
import { queryClient } from "../../queryClient";
import { RunActions } from "./RunActions";
import { RunHistory } from "./RunHistory";
import { RunTimeline } from "./RunTimeline";
import { TaskDetails } from "./TaskDetails";
import { recordsOf, useRun, useRunDocument, useRunLog, useStartedWith } from "./queries";

const RunGraph = lazy(() => import("../../graph/RunGraph"));

export default function RunPage() {
  const orgId = useOrganizationId();
  const { instanceId = "" } = useParams();
  const run = useRun(orgId, instanceId);
  useLive(
    `/dashboard/api/organizations/${orgId}/instances/${instanceId}/events`,
    useCallback(
      () => void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "run", instanceId] }),
      [orgId, instanceId],
    ),
  );
  const nameOf = useActorName();
  return (
    <Loaded query={run}>
      {(found) => (
        <Page
          title={`Run of ${nameOf(`agent:${found.workflow_id}`)}`}
          back={{ to: `/organizations/${orgId}/runs`, label: "Runs" }}
          badge={<Status of={found.status} />}
          about={<About orgId={orgId} run={found} />}
          actions={<RunActions orgId={orgId} run={found} />}
        >
          <Body orgId={orgId} run={found} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  orgId: string;
  run: Schemas["WorkflowInstance"];
}

function About({ orgId, run }: Props) {
  const nameOf = useActorName();
  const base = `/organizations/${orgId}`;
  return (
    <>
      <Anchor component={Link} inherit to={`${base}/agents/${run.workflow_id}`}>
        {run.workflow_version === 0 ? "Test of the draft" : `Version ${run.workflow_version}`}
      </Anchor>
      {" · started by "}
      {nameOf(run.created_by)} <Time at={run.created_at} seconds />
      {run.finished_at && ` · took ${duration(Date.parse(run.finished_at) - Date.parse(run.created_at))}`}
      {run.conversation_id && (
        <>
          {" · "}
          <Anchor component={Link} inherit to={`${base}/conversations/${run.conversation_id}`}>
            conversation
          </Anchor>
        </>
      )}
    </>
  );
}

function Body({ orgId, run }: Props) {
  const document = useRunDocument(orgId, run);
  const places = usePlaces(orgId, run.workflow_id);
  const log = useRunLog(orgId, run);
  const records = recordsOf(log.data ?? []);
  // The task and the tab stand in the address: a link leads to what somebody looks at.
  const filters = useFilters();
  const setChosen = (id: string) => filters.set("task", id, { push: true });
  const task = run.tasks.find((each) => each.id === filters.get("task")) ?? run.tasks[0];
  const statuses = new Map(run.tasks.map((each) => [each.id, each.status]));
  const waiting = run.tasks.find((each) => each.status === "WAITING" && each.ticket_id);
  return (
    <Stack gap="lg">
      {run.error && (
        <Alert color="red" title={run.error.error}>
          {run.error.detail}
        </Alert>
      )}
      {waiting && run.status === "PAUSED" && (
        <Alert color="yellow" title="A person is asked">
          “{waiting.name}” waits for{" "}
          <Anchor component={Link} inherit to={`/organizations/${orgId}/tickets/${waiting.ticket_id}`}>
            its ticket
          </Anchor>
          .
        </Alert>
      )}
      {document.data && !places.isPending && (
        <Suspense fallback={<Waiting />}>
          <RunGraph
            document={document.data}
            places={places.data}
            statuses={statuses}
            chosen={task?.id}
            onChoose={setChosen}
          />
        </Suspense>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Tabs
            value={filters.get("tab") ?? "timeline"}
            onChange={(tab) => filters.set("tab", tab === "timeline" ? null : tab)}
            keepMounted={false}
          >
            <Tabs.List>
              <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
              <Tabs.Tab value="input">Input</Tabs.Tab>
              <Tabs.Tab value="output">Output</Tabs.Tab>
              <Tabs.Tab value="history">History</Tabs.Tab>
              <Tabs.Tab value="json">JSON</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="timeline" pt="md">
              <RunTimeline run={run} chosen={task?.id} onChoose={setChosen} />
            </Tabs.Panel>
            <Tabs.Panel value="input" pt="md">
              <StartedWith orgId={orgId} id={run.workflow_instance_id} />
            </Tabs.Panel>
            <Tabs.Panel value="output" pt="md">
              {run.output ? (
                <Values of={run.output} />
              ) : (
                <Text c="dimmed" size="sm">
                  There is output when the run is completed; what single tasks gave stands beside each.
                </Text>
              )}
            </Tabs.Panel>
            <Tabs.Panel value="history" pt="md">
              <Loaded query={log}>{(entries) => <RunHistory run={run} log={entries} />}</Loaded>
            </Tabs.Panel>
            <Tabs.Panel value="json" pt="md">
              <Json value={run} label="run as JSON" />
            </Tabs.Panel>
          </Tabs>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          {task && (
            <Card withBorder component="aside" aria-label="The chosen task">
              <Group justify="space-between" mb="sm">
                <Title order={2} size="h5">
                  {task.name}
                </Title>
                <Status of={task.status} />
              </Group>
              <TaskDetails
                orgId={orgId}
                run={run}
                task={task}
                record={records.get(task.id)}
                definition={document.data?.tasks.find((each) => each.id === task.id)}
              />
            </Card>
          )}
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** The message, the files and the values that the run began with. */
function StartedWith({ orgId, id }: { orgId: string; id: string }) {
  const started = useStartedWith(orgId, id);
  return (
    <Loaded query={started}>
      {({ human_msg, file_urls, values }) => {
        const all = {
          ...(human_msg === null ? {} : { message: human_msg }),
          ...Object.fromEntries(file_urls.map((url, index) => [`file ${index + 1}`, url])),
          ...values,
        };
        return Object.keys(all).length > 0 ? (
          <Values of={all} />
        ) : (
          <Text c="dimmed" size="sm">
            It was started with nothing.
          </Text>
        );
      }}
    </Loaded>
  );
}
