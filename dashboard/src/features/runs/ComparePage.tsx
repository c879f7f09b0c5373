import { Alert, Card, SegmentedControl, Stack } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { useSearchParams } from "react-router";
import {
  ApiError,
  useAttempts,
  useOrganizationId,
  useRun,
  useRunInput,
  useRunLog,
  type Schemas,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import { CardHeading, LinkButton } from "../../components/variants";
import { EmptyState } from "../../components/EmptyState";
import { ErrorNotice } from "../../components/ErrorNotice";
import { LoadingIndicator } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { optionsOf } from "../../components/optionsOf";
import { useFilters } from "../../components/useFilters";
import { recordsOf, valuesOf } from "./queries";
import { listSearch } from "./runFilters";
import { selectionState } from "./selectionState";
import { RunFacts } from "./RunFacts";
import { TaskComparison } from "./TaskComparison";
import { isChanged, ValueComparisons, type Pair } from "./ValueComparison";

/** Compares two runs: facts, input, and each task's inputs, prompts and outputs. */
export default function ComparePage() {
  const orgId = useOrganizationId();
  const [search] = useSearchParams();
  const left = search.get("left") ?? "";
  const right = search.get("right") ?? "";
  const one = useRun(left);
  const other = useRun(right);
  const back = {
    to: `/organizations/${orgId}/runs${listSearch(String(search))}`,
    label: "Runs",
    state: selectionState([left, right]),
  };
  const missing = [left, right].filter((_, index) => isNotFound([one, other][index]!.error));
  const error = one.error ?? other.error;
  if (left === "" || right === "") {
    return (
      <Page title="Compare runs" back={back}>
        <EmptyState
          icon={IconArrowsDiff}
          title="Select two runs"
          action={<LinkButton to={back.to}>Go to runs</LinkButton>}
        >
          Select two runs in the list to compare them.
        </EmptyState>
      </Page>
    );
  }
  if (one.data && other.data) {
    const runs =
      Date.parse(one.data.created_at) <= Date.parse(other.data.created_at)
        ? ([one.data, other.data] as const)
        : ([other.data, one.data] as const);
    return <Comparison runs={runs} back={back} />;
  }
  if (missing.length > 0) {
    return (
      <Page title="Compare runs" back={back}>
        <EmptyState
          icon={IconArrowsDiff}
          title={missing.length === 1 ? "This run doesn’t exist" : "These runs don’t exist"}
          action={<LinkButton to={back.to}>Go to runs</LinkButton>}
        >
          There is no run with the ID {missing.join(" or ")}. It may have been deleted, or you may not have
          access to it.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title="Compare runs" back={back}>
      {error ? <ErrorNotice error={error} /> : <LoadingIndicator />}
    </Page>
  );
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404;

interface Props {
  runs: Pair<Schemas["WorkflowInstance"]>;
  back: { to: string; label: string; state: unknown };
}

function Comparison({ runs, back }: Props) {
  const filters = useFilters();
  const changedOnly = filters.get("show") === "changes";
  const older = useComparedRun(runs[0]);
  const newer = useComparedRun(runs[1]);
  const ids = [...new Set(runs.flatMap((run) => run.tasks.map((task) => task.id)))];
  const error = older.error ?? newer.error;
  const nameOf = useActorName();
  const [olderAgent, newerAgent] = runs.map((run) => nameOf(`agent:${run.workflow_id}`));
  const sameAgent = runs[0].workflow_id === runs[1].workflow_id;
  return (
    <Page
      title={sameAgent ? `Compare runs of ${newerAgent}` : `Compare ${olderAgent} with ${newerAgent}`}
      back={back}
      about="The older run comes first. Words that differ are marked."
      actions={
        <SegmentedControl
          aria-label="Show"
          data={optionsOf({ all: "Everything", changes: "Differences" })}
          value={changedOnly ? "changes" : "all"}
          onChange={(value) => filters.set("show", value === "changes" ? value : null)}
        />
      }
    >
      <ErrorNotice error={error} />
      {!sameAgent && (
        <Alert color="yellow" title="These runs are of different agents">
          Tasks are matched by their IDs, so a task may be compared with an unrelated one.
        </Alert>
      )}
      {older.records && newer.records && older.input && newer.input ? (
        <Stack gap="lg">
          <RunFacts runs={runs} records={[older.records, newer.records]} changedOnly={changedOnly} />
          {(!changedOnly || isChanged(older.input, newer.input)) && (
            <Card withBorder component="section" aria-labelledby="run-input">
              <CardHeading mb="sm" id="run-input">
                Run input
              </CardHeading>
              <ValueComparisons values={[older.input, newer.input]} changedOnly={changedOnly} />
            </Card>
          )}
          {ids.map((id) => (
            <TaskComparison
              key={id}
              id={id}
              runs={runs}
              tasks={[
                runs[0].tasks.find((task) => task.id === id),
                runs[1].tasks.find((task) => task.id === id),
              ]}
              records={[older.records!.get(id), newer.records!.get(id)]}
              attempts={[
                older.attempts.findLast((attempt) => attempt.task === id),
                newer.attempts.findLast((attempt) => attempt.task === id),
              ]}
              changedOnly={changedOnly}
            />
          ))}
        </Stack>
      ) : (
        !error && <LoadingIndicator />
      )}
    </Page>
  );
}

/** The log, input and attempts of a compared run. */
function useComparedRun(run: Schemas["WorkflowInstance"]) {
  const log = useRunLog(run);
  const input = useRunInput(run.workflow_instance_id);
  const attempts = useAttempts(run);
  return {
    error: log.error ?? input.error ?? attempts.error,
    records: log.data && recordsOf(log.data),
    input: input.data && valuesOf(input.data),
    attempts: attempts.data ?? [],
  };
}
