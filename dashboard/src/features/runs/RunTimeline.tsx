import { Text, UnstyledButton } from "@mantine/core";
import { isFinished, type Schemas } from "../../api";
import { DimmedXs } from "../../components/variants";
import { formatDuration } from "../../components/Time";
import { shownStatus } from "../../graph/shownStatus";
import { TaskStatusLabel } from "../../graph/TaskStatusLabel";
import classes from "./runs.module.css";
import { useNow } from "../../components/useNow";

interface Props {
  run: Schemas["WorkflowInstance"];
  selected: string | undefined;
  onSelect: (taskId: string) => void;
}

/** The tasks of a run as bars on a common time axis. */
export function RunTimeline({ run, selected, onSelect }: Props) {
  const begin = Date.parse(run.created_at);
  const now = useNow(!isFinished(run.status));
  // The clocks of the browser and the service may differ.
  const end = run.finished_at ? Date.parse(run.finished_at) : Math.max(now, Date.parse(run.updated_at));
  const ends = run.tasks.map((task) => (task.finished_at ? Date.parse(task.finished_at) : end));
  const whole = Math.max(1, ...ends.map((at) => at - begin));
  return (
    <div className={classes.timeline}>
      {run.tasks.map((task, index) => {
        const from = task.started_at && !task.reused ? Date.parse(task.started_at) : null;
        const left = from === null ? 0 : ((from - begin) / whole) * 100;
        const took = from === null ? null : ends[index]! - from;
        return (
          <UnstyledButton
            key={task.id}
            className={classes.row}
            data-selected={task.id === selected || undefined}
            onClick={() => onSelect(task.id)}
          >
            <Text size="sm" lineClamp={2} title={task.name}>
              {task.name}
            </Text>
            <div className={classes.track}>
              {took !== null && (
                <div
                  className={classes.bar}
                  data-status={shownStatus(task)}
                  style={{ left: `${left}%`, width: `max(4px, ${(took / whole) * 100}%)` }}
                />
              )}
            </div>
            <DimmedXs ta="right">{took === null ? "" : formatDuration(took)}</DimmedXs>
            <TaskStatusLabel task={task} />
          </UnstyledButton>
        );
      })}
    </div>
  );
}
