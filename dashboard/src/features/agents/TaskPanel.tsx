import { IconPlayerPlay } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { SecondaryButton } from "../../components/variants";
import { SingleTaskRun } from "./SingleTaskRun";
import { TaskForm } from "./TaskForm";
import classes from "./editor.module.css";

interface Props extends ComponentProps<typeof TaskForm>, ComponentProps<typeof SingleTaskRun> {
  /** Whether the form that runs the task alone is shown. */
  showsRun: boolean;
  onShowRun: () => void;
}

/** The form of a task, and below it the button that runs the task alone, which stays visible while the form scrolls. */
export function TaskPanel({ onChange, onSelect, onRenamed, showsRun, onShowRun, ...run }: Props) {
  const { document, task } = run;
  return (
    <>
      <div className={classes.scrolled}>
        <TaskForm
          document={document}
          task={task}
          onChange={onChange}
          onSelect={onSelect}
          onRenamed={onRenamed}
        />
        {showsRun && <SingleTaskRun key={task.id} {...run} />}
      </div>
      {!showsRun && (
        <div className={classes.runBar}>
          <SecondaryButton fullWidth leftSection={<IconPlayerPlay size={16} />} onClick={onShowRun}>
            Run this task
          </SecondaryButton>
        </div>
      )}
    </>
  );
}
