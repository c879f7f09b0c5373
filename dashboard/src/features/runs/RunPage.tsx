import { Alert, Anchor, Card, Code, Grid, Group, Stack } from "@mantine/core";
import { useCallback, useRef } from "react";
import { Link, useLocation, useParams } from "react-router";
import { TextLink } from "../../components/PageLink";
import {
  isFinished,
  refreshRun,
  useEventStream,
  useOrganizationId,
  useRun,
  useRunInput,
  useRunLog,
  type LiveTexts,
  type Schemas,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import { Dimmed, CardHeading, Strong, TextButton, PlainText } from "../../components/variants";
import { useTaskPositions } from "../../graph/positions";
import { taskCounts } from "../../graph/shownStatus";
import { TaskStatusLabel } from "../../graph/TaskStatusLabel";
import { CopyButton } from "../../components/CopyButton";
import { NeighborButton } from "../../components/NeighborButton";
import { JsonBlock } from "../../components/JsonBlock";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { formatDuration, Time } from "../../components/Time";
import { UrlTabs } from "../../components/UrlTabs";
import { ValueList } from "../../components/ValueList";
import { lazily } from "../../components/lazily";
import { useFilters } from "../../components/useFilters";
import { showDetails } from "./detailsScroll";
import { DownloadRunButton } from "./DownloadRunButton";
import { PrintedRun } from "./PrintedRun";
import { RunActions } from "./RunActions";
import { RunHistory } from "./RunHistory";
import { RunTimeline } from "./RunTimeline";
import { TaskDetails } from "./TaskDetails";
import { TaskText } from "./TaskText";
import { totalOf } from "./RunFacts";
import { shownTask, waitingTask } from "./shownTask";
import { recordsOf, useRunDocument, valuesOf } from "./queries";
import { failedAgain } from "./rerun";
import { comparisonPath, listSearch } from "./runFilters";
import classes from "./runs.module.css";
import { runTitle } from "./runTitle";
import { useNeighborRuns } from "./useNeighborRuns";
import { useNow } from "../../components/useNow";

const RunGraph = lazily(() => import("../../graph/RunGraph"));

export default function RunPage() {
  const orgId = useOrganizationId();
  const { instanceId = "" } = useParams();
  const { connected: isStreamed, texts } = useEventStream(
    `/dashboard/api/organizations/${orgId}/instances/${instanceId}/events`,
    useCallback(() => void refreshRun(orgId, instanceId), [orgId, instanceId]),
  );
  const run = useRun(instanceId, isStreamed);
  const nameOf = useActorName();
  const { search } = useLocation();
  const { data: input } = useRunInput(instanceId);
  const { isListed, previous, next } = useNeighborRuns(instanceId);
  // The task and the tab are part of the URL, so that links open the same view.
  const chosen = useFilters().get("task");
  return (
    <QueryBoundary query={run}>
      {(found) => (
        <Page
          title={runTitle(nameOf(`agent:${found.workflow_id}`), instanceId, input)}
          back={{ to: `runs${listSearch(search)}`, label: "Runs" }}
          badge={<StatusLabel status={found.status} />}
          about={
            <>
              <About run={found} />
              <RunTotals run={found} />
            </>
          }
          actions={
            <>
              {isListed && (
                <nav aria-label="Other runs" className="screenOnly">
                  <Group gap={8}>
                    <NeighborButton label="Previous" to={previous} />
                    <NeighborButton label="Next" to={next} />
                  </Group>
                </nav>
              )}
              {/* On phones, these buttons stay in one row. */}
              <Group gap={8}>
                <RunActions key={instanceId} run={found} selected={shownTask(found, chosen)?.id} />
              </Group>
            </>
          }
        >
          <Body key={instanceId} run={found} texts={texts} />
        </Page>
      )}
    </QueryBoundary>
  );
}

interface Props {
  run: Schemas["WorkflowInstance"];
}

function About({ run }: Props) {
  const orgId = useOrganizationId();
  const nameOf = useActorName();
  const { search } = useLocation();
  return (
    <>
      <TextLink to={`agents/${run.workflow_id}`}>
        {run.workflow_version === 0 ? "Draft test run" : `Version ${run.workflow_version}`}
      </TextLink>
      {" · started by "}
      {nameOf(run.created_by)}
      {" · "}
      <Time at={run.created_at} seconds />
      {run.rerun_of && (
        <>
          {" · rerun of "}
          <TextLink to={`runs/${run.rerun_of.workflow_instance_id}`}>an earlier run</TextLink>
          {" ("}
          <Anchor
            component={Link}
            inherit
            to={comparisonPath(orgId, run.rerun_of.workflow_instance_id, run.workflow_instance_id, search)}
          >
            compare
          </Anchor>
          )
          {run.rerun_of.from_task &&
            ` from “${run.tasks.find((task) => task.id === run.rerun_of?.from_task)?.name ?? run.rerun_of.from_task}”`}
        </>
      )}
      {run.parent && (
        <>
          {" · runs for "}
          <TextLink to={`runs/${run.parent.workflow_instance_id}?task=${run.parent.task}`}>
            a task of another run
          </TextLink>
        </>
      )}
      {run.conversation_id && (
        <>
          {" · "}
          <TextLink to={`conversations/${run.conversation_id}`}>conversation</TextLink>
        </>
      )}
      {run.trace_id && (
        <>
          {" · trace "}
          <Code>{run.trace_id}</Code>
        </>
      )}
    </>
  );
}

const PRICES =
  "By the operator’s prices per million tokens: PARLEY_LLM_INPUT_PRICE and PARLEY_LLM_OUTPUT_PRICE in PARLEY_LLM_CURRENCY";

/** The duration, the tokens and the cost of all tasks. */
function RunTotals({ run }: Props) {
  const log = useRunLog(run);
  const { inputTokens, outputTokens, costMicros } = totalOf([...recordsOf(log.data ?? []).values()]);
  const now = useNow(!isFinished(run.status));
  // The clocks of the browser and the service may differ.
  const end = run.finished_at ? Date.parse(run.finished_at) : Math.max(now, Date.parse(run.updated_at));
  const took = end - Date.parse(run.created_at);
  const [completed, others] = taskCounts(run.tasks);
  const facts = [
    { label: "Duration", value: formatDuration(took) },
    {
      label: "Tokens",
      value: formatCount(inputTokens + outputTokens),
      rest:
        inputTokens + outputTokens > 0 && `${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out`,
    },
    {
      label: "Cost",
      value: costMicros > 0 ? formatCost(costMicros) : "–",
      rest: costMicros === 0 && inputTokens + outputTokens > 0 && "no prices set",
      about: PRICES,
    },
    { label: "Tasks", value: completed, rest: others },
  ];
  return (
    <dl className={classes.totals}>
      {facts.map(({ label, value, rest, about }) => (
        <div key={label} title={about}>
          <dt>{label}</dt>
          <dd>
            {value} {rest && <span>{rest}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The place of the output of a run that has none. */
const NO_OUTPUT: Record<Schemas["InstanceStatus"], string> = {
  RUNNING: "The output appears when the run completes.",
  PAUSED: "The output appears when the run completes.",
  COMPLETED: "This run has no output.",
  FAILED: "This run failed, so it has no output.",
  CANCELLED: "This run was cancelled, so it has no output.",
  TERMINATED: "This run was terminated, so it has no output.",
};

function Body({ run, texts }: Props & { texts: LiveTexts }) {
  const document = useRunDocument(run);
  const positions = useTaskPositions(run.workflow_id);
  const log = useRunLog(run);
  const records = recordsOf(log.data ?? []);
  const filters = useFilters();
  const setSelected = (id: string) => filters.set("task", id, { push: true });
  const graph = useRef<HTMLDivElement>(null);
  const details = useRef<HTMLDivElement>(null);
  const selectInGraph = (id: string) => {
    setSelected(id);
    if (graph.current && details.current) {
      showDetails(graph.current, details.current);
    }
  };
  const task = shownTask(run, filters.get("task"));
  return (
    <Stack gap="lg">
      <Notices run={run} onSelect={selectInGraph} />
      {document.data && !positions.isPending && (
        <div ref={graph}>
          <RunGraph
            document={document.data}
            positions={positions.data}
            tasks={run.tasks}
            selected={task?.id}
            onSelect={selectInGraph}
          />
        </div>
      )}
      <PrintedRun run={run} records={records} />
      <Grid gap="lg" className="screenOnly">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <UrlTabs
            param="tab"
            tabs={{
              timeline: {
                label: "Timeline",
                panel: <RunTimeline run={run} selected={task?.id} onSelect={setSelected} />,
              },
              input: { label: "Input", panel: <RunInput id={run.workflow_instance_id} /> },
              output: { label: "Output", panel: <RunOutput run={run} /> },
              history: {
                label: "History",
                panel: (
                  <QueryBoundary query={log}>
                    {(entries) => <RunHistory run={run} log={entries} />}
                  </QueryBoundary>
                ),
              },
              json: { label: "JSON", panel: <RunJson run={run} /> },
            }}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          {task && (
            <Card ref={details} withBorder component="aside" aria-label="Selected task">
              <Group justify="space-between" mb="sm">
                <CardHeading>{task.name}</CardHeading>
                <TaskStatusLabel task={task} />
              </Group>
              {task.status === "RUNNING" && (
                <TaskText texts={texts} runId={run.workflow_instance_id} taskId={task.id} />
              )}
              <TaskDetails
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

/** Why the run failed, or whom it waits for. */
function Notices({ run, onSelect }: Props & { onSelect: (taskId: string) => void }) {
  const failed = run.tasks.find((each) => each.id === run.error?.task);
  const waiting = waitingTask(run.tasks);
  const asking =
    run.status === "PAUSED" &&
    waiting === undefined &&
    run.tasks.find((each) => each.status === "WAITING" && !each.ticket_id);
  return (
    <>
      {run.error && (
        <Alert
          color="red"
          py="xs"
          title={
            <>
              {failed && (
                <>
                  <TextButton onClick={() => onSelect(failed.id)}>{failed.name}</TextButton>:{" "}
                </>
              )}
              {run.error.error}
            </>
          }
        >
          <PlainText>{run.error.detail}</PlainText>
          <FailedAgain run={run} />
        </Alert>
      )}
      {waiting && run.status === "PAUSED" && (
        <Alert color="yellow" py="xs" title="Waiting for a person">
          {waiting.error ? (
            <>
              “{waiting.name}” failed with “{waiting.error.error}”. Retry it when the cause is fixed, or
              decide in{" "}
            </>
          ) : (
            <>“{waiting.name}” is waiting for someone to complete </>
          )}
          <TextLink to={`tickets/${waiting.ticket_id}`}>its ticket</TextLink>.
        </Alert>
      )}
      {asking && run.conversation_id && (
        <Alert color="yellow" py="xs" title="Waiting for an answer">
          “{asking.name}” needs inputs, which someone can give in the{" "}
          <TextLink to={`conversations/${run.conversation_id}`}>conversation</TextLink>.
        </Alert>
      )}
    </>
  );
}

const RunOutput = ({ run }: Props) =>
  run.output ? (
    <ValueList values={run.output} />
  ) : (
    <Dimmed>{NO_OUTPUT[run.status]} Select a task to see its own outputs.</Dimmed>
  );

const RunJson = ({ run }: Props) => (
  <>
    <Group mb="sm">
      <DownloadRunButton run={run} />
      <CopyButton text={run.workflow_instance_id} label="Copy ID" />
    </Group>
    <JsonBlock value={run} label="run as JSON" />
  </>
);

/** After a retry that did not help, which looks like the run before it. */
function FailedAgain({ run }: Props) {
  const { data: earlier } = useRun(run.rerun_of?.workflow_instance_id ?? "");
  const again = failedAgain(run, earlier);
  return (
    again && (
      <Strong mt={6} role="status">
        {run.error?.task ? "The task" : "The run"} failed again, with{" "}
        {again === "same" ? "the same error" : "another error"}.
      </Strong>
    )
  );
}

/** The message, files and values that started the run. */
function RunInput({ id }: { id: string }) {
  const started = useRunInput(id);
  return (
    <QueryBoundary query={started}>
      {(found) => {
        const all = valuesOf(found);
        return Object.keys(all).length > 0 ? (
          <ValueList values={all} />
        ) : (
          <Dimmed>This run had no input.</Dimmed>
        );
      }}
    </QueryBoundary>
  );
}
