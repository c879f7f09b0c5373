import { Handle, Position, useUpdateNodeInternals, type Node, type NodeProps } from "@xyflow/react";
import { Text } from "@mantine/core";
import { IconCode, IconPlug, IconSparkles, IconUser, type Icon } from "@tabler/icons-react";
import { Fragment, useEffect } from "react";
import type { Schemas } from "../api";
import { Strong } from "../components/variants";
import { formatDuration } from "../components/Time";
import { counted } from "../components/counted";
import { flowBadgesOf } from "./controlFlow";
import { FlowBadges } from "./FlowBadges";
import { LastValues } from "./LastValues";
import {
  inputsOf,
  outputsOf,
  type InputParameter,
  type NamedOutput,
  type Task,
  type TaskKind,
} from "./document";
import { shownStatus, statusReason } from "./shownStatus";
import { TaskStatusLabel } from "./TaskStatusLabel";
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
  | "reused"
  | "started_at"
  | "finished_at"
  | "skip_reason"
  | "error"
  | "items"
  | "iterations"
  | "wait_until"
  | "resume_url"
  | "waiting_items"
  | "child_instance_id"
>;

export type TaskNodeData = {
  task: Task;
  /** The kind of the task and what it uses, such as "App · HTTP request". */
  subtitle?: string;
  /** The field of each validation issue at this task, such as `when`; empty for the task as a whole. */
  issues?: readonly string[];
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
  const { task, subtitle = task.kind, issues = [], run, change, editable = false } = data;
  const updateNodeInternals = useUpdateNodeInternals();
  const [inputs, outputs] = [inputsOf(task), outputsOf(task)];
  const ports = [...inputs, ...outputs].map((each) => each.name).join();
  // The graph measures connection points only when the size of a node changes.
  useEffect(() => updateNodeInternals(id), [id, ports, updateNodeInternals]);
  const Picture = KIND_ICONS[task.kind] ?? IconPlug;
  return (
    <div
      className={classes.node}
      data-kind={task.kind}
      data-selected={selected || undefined}
      data-has-issues={issues.length > 0 || undefined}
      data-status={run && shownStatus(run)}
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
          <Strong lineClamp={2} style={{ overflowWrap: "anywhere" }} title={task.name}>
            {task.name || task.id || "Untitled"}
          </Strong>
          {run ? (
            <Status run={run} />
          ) : (
            <Text fz={13} lh={1.3} c="dimmed" truncate title={subtitle}>
              {subtitle}
            </Text>
          )}
        </div>
        {issues.length > 0 && (
          <span className={classes.issues} title={counted(issues.length, "issue")}>
            {issues.length}
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
      <FlowBadges badges={flowBadgesOf(task)} issues={issues} run={run} />
      <div className={classes.ports}>
        {Array.from({ length: Math.max(inputs.length, outputs.length) }, (_, row) => (
          <PortRow
            // Drafts may repeat a name.
            // oxlint-disable-next-line react/no-array-index-key
            key={row}
            input={inputs[row]}
            output={outputs[row]}
            editable={editable}
          />
        ))}
      </div>
      <LastValues task={task.id} name={task.name || task.id} outputs={outputs.map((output) => output.name)} />
    </div>
  );
}

interface PortRowProps {
  input: InputParameter | undefined;
  output: NamedOutput | undefined;
  editable: boolean;
}

/** An input and an output beside each other: a long name uses the space that the other one leaves. */
function PortRow({ input, output, editable }: PortRowProps) {
  return (
    <div
      className={classes.portRow}
      data-whole-words={longestPart(input) + longestPart(output) <= ROW_CHARACTERS || undefined}
    >
      {input && (
        <Port
          side="in"
          id={inputPort(input.name)}
          name={input.name || "untitled"}
          type={input.type}
          about={`${input.name}: ${input.type}, ${input.source}`}
          editable={editable}
        />
      )}
      {output && (
        <Port
          side="out"
          id={outputPort(output.name)}
          name={output.name}
          type={output.type}
          about={`${output.name}: ${output.type}`}
          editable={editable}
        />
      )}
    </div>
  );
}

interface PortProps {
  side: "in" | "out";
  id: string;
  name: string;
  type: string;
  about: string;
  editable: boolean;
}

function Port({ side, id, name, type, about, editable }: PortProps) {
  return (
    <div className={classes.port} data-side={side}>
      <Handle
        id={id}
        type={side === "in" ? "target" : "source"}
        position={side === "in" ? Position.Left : Position.Right}
        isConnectable={editable}
        data-type={type}
        className={classes.handle}
      />
      <span title={about}>{breakable(name)}</span>
    </div>
  );
}

/** The characters of both names that fit in one line. */
const ROW_CHARACTERS = 22;

/** The parts of a name between which it may take a second line. */
const partsOf = (name: string) => name.split(/(?<=[_.-])/);

const longestPart = (port: { name: string } | undefined) =>
  Math.max(...partsOf(port?.name ?? "").map((part) => part.length));

const breakable = (name: string) =>
  partsOf(name).map((part, index) => (
    // The parts have no IDs.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

const CHANGES = { added: "Added", removed: "Removed", changed: "Changed" };

const SKIPPED = {
  CONDITION: { text: "condition", title: "The condition doesn’t hold" },
  PREDECESSOR: { text: "earlier task", title: "A task before it was skipped" },
  INSTANCE_ENDED: { text: "run ended", title: "The run ended first" },
};

/** The status of a task, with the reason why it was skipped or with its duration. */
function Status({ run }: { run: TaskRun }) {
  const { status, skip_reason, started_at, finished_at, error } = run;
  const reason = skip_reason && SKIPPED[skip_reason];
  // The room for both is known before the graph is drawn: a longer status has no duration.
  const took =
    started_at && finished_at && !statusReason(run)
      ? formatDuration(Date.parse(finished_at) - Date.parse(started_at))
      : null;
  const about = reason?.text ?? (status === "WAITING" && error ? "failed" : took);
  return (
    <div className={classes.status} title={reason?.title}>
      <TaskStatusLabel task={run} />
      {about !== null && <span>{about}</span>}
    </div>
  );
}
