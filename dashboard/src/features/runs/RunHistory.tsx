import { Table, Text } from "@mantine/core";
import type { Schemas } from "../../api";
import { DataTable } from "../../components/DataTable";
import { useActorName } from "../../components/actorNames";
import { DimmedXs } from "../../components/variants";
import { statusText } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { shownStatus } from "../../graph/shownStatus";

interface Props {
  run: Schemas["WorkflowInstance"];
  log: Schemas["WorkflowInstanceLog"][];
}

/** Formats "TaskSucceeded" as "Task succeeded". */
function eventText(event: string): string {
  const spaced = event.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function RunHistory({ run, log }: Props) {
  const nameOf = useActorName();
  const taskOf = (id: string) => run.tasks.find((each) => each.id === id);
  return (
    <DataTable columns={["Time", "Event", "By"]} minWidth={480}>
      {log.map((entry) => (
        <Table.Tr key={entry.version}>
          <Table.Td>
            <Time at={entry.at} seconds />
          </Table.Td>
          <Table.Td>
            <Text size="sm">{eventText(entry.event)}</Text>
            {(entry.status_changes ?? []).map((change) => (
              <DimmedXs key={change.to + change.at}>
                Run: {change.from ? `${statusText(change.from)} → ` : ""}
                {statusText(change.to)}
              </DimmedXs>
            ))}
            {(entry.tasks ?? []).map((change) => (
              <DimmedXs key={change.task}>
                {taskOf(change.task)?.name ?? change.task}:{" "}
                {statusText(shownStatus({ ...change, reused: taskOf(change.task)?.reused }))}
                {change.error && ` – ${change.error.error}: ${change.error.detail}`}
              </DimmedXs>
            ))}
          </Table.Td>
          <Table.Td data-label="By">{nameOf(entry.actor)}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
