import { Button, Table, Text } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { Link, useSearchParams } from "react-router";
import type { Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { EmptyState } from "../../components/EmptyState";
import { ErrorNotice } from "../../components/ErrorNotice";
import { LoadingIndicator } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { formatDuration, Time } from "../../components/Time";
import { ValueView } from "../../components/ValueList";
import { recordsOf, useRun, useRunLog, type TaskRecord } from "./queries";

/** Compares the outputs of two runs task by task. */
export default function ComparePage() {
  const orgId = useOrganizationId();
  const [search] = useSearchParams();
  const left = useRun(orgId, search.get("left") ?? "");
  const right = useRun(orgId, search.get("right") ?? "");
  const leftLog = useRunLog(orgId, left.data);
  const rightLog = useRunLog(orgId, right.data);
  const back = { to: `/organizations/${orgId}/runs`, label: "Runs" };
  const error = left.error ?? right.error ?? leftLog.error ?? rightLog.error;
  if (!search.get("left") || !search.get("right")) {
    return (
      <Page title="Compare runs" back={back}>
        <EmptyState
          icon={IconArrowsDiff}
          title="Select two runs"
          action={
            <Button component={Link} to={back.to}>
              Go to runs
            </Button>
          }
        >
          Select two runs in the list to compare them.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title="Compare runs" back={back}>
      <ErrorNotice error={error} />
      {left.data && right.data && leftLog.data && rightLog.data ? (
        <Comparison
          orgId={orgId}
          runs={[left.data, right.data]}
          records={[recordsOf(leftLog.data), recordsOf(rightLog.data)]}
        />
      ) : (
        !error && <LoadingIndicator />
      )}
    </Page>
  );
}

interface Props {
  orgId: string;
  runs: [Schemas["WorkflowInstance"], Schemas["WorkflowInstance"]];
  records: [Map<string, TaskRecord>, Map<string, TaskRecord>];
}

function took(from: string | null, to: string | null): string {
  return from && to ? formatDuration(Date.parse(to) - Date.parse(from)) : "–";
}

function Comparison({ orgId, runs, records }: Props) {
  const ids = [...new Set(runs.flatMap((run) => run.tasks.map((task) => task.id)))];
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table data-grid withColumnBorders verticalSpacing="sm" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={150}>Task</Table.Th>
            {runs.map((run) => (
              <Table.Th key={run.workflow_instance_id}>
                <Link className="rowLink" to={`/organizations/${orgId}/runs/${run.workflow_instance_id}`}>
                  <Time at={run.created_at} seconds />
                </Link>{" "}
                <StatusLabel status={run.status} />
                <Text size="xs" c="dimmed">
                  {run.workflow_version === 0 ? "Draft" : `Version ${run.workflow_version}`} ·{" "}
                  {took(run.created_at, run.finished_at)}
                </Text>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ids.map((id) => {
            const tasks = runs.map((run) => run.tasks.find((task) => task.id === id));
            const outputs = records.map((record) => record.get(id)?.outputs);
            const differs = JSON.stringify(outputs[0]) !== JSON.stringify(outputs[1]);
            return (
              <Table.Tr key={id} bg={differs ? "light-dark(#fff8e6, #2c2616)" : undefined}>
                <Table.Td>
                  <Text size="sm" fw={600}>
                    {tasks[0]?.name ?? tasks[1]?.name}
                  </Text>
                  {differs && <Text size="xs">outputs differ</Text>}
                </Table.Td>
                {tasks.map((task, side) => (
                  <Table.Td key={runs[side]!.workflow_instance_id} style={{ verticalAlign: "top" }}>
                    {task ? (
                      <>
                        <StatusLabel status={task.status} />{" "}
                        <Text span size="xs" c="dimmed">
                          {took(task.started_at, task.finished_at)} · {task.attempts}{" "}
                          {task.attempts === 1 ? "attempt" : "attempts"}
                        </Text>
                        {Object.entries(outputs[side] ?? {}).map(([name, value]) => (
                          <div key={name}>
                            <Text span size="xs" c="dimmed">
                              {name}:{" "}
                            </Text>
                            <ValueView value={value} name={name} />
                          </div>
                        ))}
                      </>
                    ) : (
                      "–"
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
