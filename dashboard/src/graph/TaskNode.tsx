import { Handle, Position, useUpdateNodeInternals, type Node, type NodeProps } from "@xyflow/react";
import { Text } from "@mantine/core";
import { IconCode, IconPlug, IconSparkles, IconUser, type Icon } from "@tabler/icons-react";
import { useEffect } from "react";
import type { Schemas } from "../api/client";
import { StatusLabel } from "../components/StatusLabel";
import { formatDuration } from "../components/Time";
import { flowBadgesOf } from "./controlFlow";
import { FlowBadges } from "./FlowBadges";
import { LastValues } from "./LastValues";
import { inputsOf, outputsOf, type TaskKind, type Task } from "./document";
import classes from "./graph.module.css";

export const KIND_ICONS: Record<TaskKind, Icon> = {
  AI: IconSparkles,
  Human: IconUser,
  App: IconPlug,
  Coder: IconCode,
};

export const TASK_KINDS = Object.keys(KIND_ICONS) as TaskKind[];

/** The progress of a task in a run. */
export type TaskRun = Pick<
  Schemas["TaskInstance"],
  | "id"
  | "status"
  | "started_at"
  | "finished_at"
  | "skip_reason"
  | "items"
  | "iterations"
  | "wait_until"
  | "resume_url"
  | "child_instance_id"
>;

export type TaskNodeData = {
  task: Task;
  /** The kind of the task and what it uses, such as "App · HTTP request". */
  subtitle?: string;
  /** The number of validation issues at this task. */
  issues?: number;
  /** The task in a run. */
  run?: TaskRun;
  /** How the task differs from another version. */
  change?: "added" | "removed" | "changed";
  /** Whether the user can draw connections. */
  editable?: boolean;
};

/** Handle IDs: one per input and output, and one on each side of the task for dependencies. */
export const inputPort = (name: string) => `in:${name}`;
export const outputPort = (name: string) => `out:${name}`;
export const BEFORE = "before";
export const AFTER = "after";

export function TaskNode({ id, data, selected }: NodeProps<Node<TaskNodeData>>) {
  const { task, subtitle = task.kind, issues = 0, run, change, editable = false } = data;
  const updateNodeInternals = useUpdateNodeInternals();
  const ports = [...inputsOf(task), ...outputsOf(task)].map((each) => each.name).join();
  // The graph measures connection points only when the size of a node changes.
  useEffect(() => updateNodeInternals(id), [id, ports, updateNodeInternals]);
  const Picture = KIND_ICONS[task.kind] ?? IconPlug;
  return (
    <div
      className={classes.node}
      data-kind={task.kind}
      data-selected={selected || undefined}
      data-has-issues={issues > 0 || undefined}
      data-status={run?.status}
      data-change={change}
    >
      {change && <span className={classes.change}>{CHANGES[change]}</span>}
      <div className={classes.head}>
        <Handle
          id={BEFORE}
          type="target"
          position={Position.Left}
          isConnectable={editable}
          className={classes.order}
        />
        <Picture size={18} aria-hidden />
        <div className={classes.title}>
          <Text size="sm" fw={600} lineClamp={2} style={{ overflowWrap: "anywhere" }} title={task.name}>
            {task.name || task.id || "Untitled"}
          </Text>
          {run ? (
            <Status run={run} />
          ) : (
            <Text fz={13} lh={1.3} c="dimmed" truncate title={subtitle}>
              {subtitle}
            </Text>
          )}
        </div>
        {issues > 0 && (
          <span className={classes.issues} title={issues === 1 ? "1 issue" : `${issues} issues`}>
            {issues}
          </span>
        )}
        <Handle
          id={AFTER}
          type="source"
          position={Position.Right}
          isConnectable={editable}
          className={classes.order}
        />
      </div>
      <FlowBadges badges={flowBadgesOf(task)} run={run} />
      <div className={classes.ports}>
        <div>
          {inputsOf(task).map((input) => (
            <div key={input.name} className={classes.port}>
              <Handle
                id={inputPort(input.name)}
                type="target"
                position={Position.Left}
                isConnectable={editable}
                data-type={input.type}
                className={classes.handle}
              />
              <span title={`${input.name}: ${input.type}, ${input.source}`}>{input.name || "untitled"}</span>
            </div>
          ))}
        </div>
        <div>
          {outputsOf(task).map((output) => (
            <div key={output.name} className={classes.port} data-side="out">
              <span title={`${output.name}: ${output.type}`}>{output.name}</span>
              <Handle
                id={outputPort(output.name)}
                type="source"
                position={Position.Right}
                isConnectable={editable}
                data-type={output.type}
                className={classes.handle}
              />
            </div>
          ))}
        </div>
      </div>
      <LastValues
        task={task.id}
        name={task.name || task.id}
        outputs={outputsOf(task).map((output) => output.name)}
      />
    </div>
  );
}

const CHANGES = { added: "Added", removed: "Removed", changed: "Changed" };

const SKIPPED = {
  CONDITION: { text: "condition", title: "The condition doesn’t hold" },
  PREDECESSOR: { text: "earlier task", title: "A task before it was skipped" },
  INSTANCE_ENDED: { text: "run ended", title: "The run ended first" },
};

/** The status of a task, with the reason why it was skipped or with its duration. */
function Status({ run: { status, skip_reason, started_at, finished_at } }: { run: TaskRun }) {
  const reason = skip_reason && SKIPPED[skip_reason];
  const took =
    started_at && finished_at ? formatDuration(Date.parse(finished_at) - Date.parse(started_at)) : null;
  const about = reason?.text ?? took;
  return (
    <div className={classes.status} title={reason?.title}>
      <StatusLabel status={status} />
      {about !== null && <span>{about}</span>}
    </div>
  );
}
