import { Text, UnstyledButton } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { Status } from "../../parts/Status";
import { duration } from "../../parts/Time";
import classes from "./runs.module.css";

interface Props {
  run: Schemas["WorkflowInstance"];
  chosen: string | undefined;
  onChoose: (taskId: string) => void;
}

/** Each task as a bar from its start to its end, on the time that the run has taken so far. */
export function RunTimeline({ run, chosen, onChoose }: Props) {
  const begin = Date.parse(run.created_at);
  const end = Date.parse(run.finished_at ?? run.updated_at);
  const ends = run.tasks.map((task) => (task.finished_at ? Date.parse(task.finished_at) : end));
  const whole = Math.max(1, ...ends.map((at) => at - begin));
  return (
    <div className={classes.timeline}>
      {run.tasks.map((task, index) => {
        const from = task.started_at ? Date.parse(task.started_at) : null;
        const left = from === null ? 0 : ((from - begin) / whole) * 100;
        const took = from === null ? null : ends[index]! - from;
        return (
          <UnstyledButton
            key={task.id}
            className={classes.row}
            data-chosen={task.id === chosen || undefined}
            onClick={() => onChoose(task.id)}
          >
            <Text size="sm" truncate>
              {task.name}
            </Text>
            <div className={classes.track}>
              {took !== null && (
                <div
                  className={classes.bar}
                  data-status={task.status}
                  style={{ left: `${left}%`, width: `max(4px, ${(took / whole) * 100}%)` }}
                />
              )}
            </div>
            <Text size="xs" c="dimmed" ta="right">
              {took === null ? "" : duration(took)}
            </Text>
            <Status of={task.status} />
          </UnstyledButton>
        );
      })}
    </div>
  );
}
