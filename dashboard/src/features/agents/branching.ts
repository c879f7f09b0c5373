import { booleanOutputsOf, whenOf, withCondition } from "../../graph/controlFlow";
import { closesCycle, edgesOf, type Task, type WorkflowDocument } from "../../graph/document";
import { depend } from "../../graph/documentEdits";
import { written } from "../../graph/expressions";
import type { MenuAction } from "./CanvasMenu";
import { startOf, withDrop, type EdgeStart } from "./connecting";

interface Actions {
  apply: (result: WorkflowDocument | string) => void;
  /** Opens the condition of a task. */
  openCondition: (taskId: string) => void;
}

interface Branch {
  label: string;
  condition: string;
}

/** The conditions with which a branch can begin at a task: each of its BOOLEAN outputs, or the contrary. */
export function branchesOf(task: Task): Branch[] {
  return booleanOutputsOf(task).flatMap((output) => {
    const name = written(["tasks", task.id, output]);
    return [
      { label: `Run only if ${output}`, condition: name },
      { label: `Run only if not ${output}`, condition: `!${name}` },
    ];
  });
}

/** The document with the order of two tasks, unless an edge sets it already. */
export const ordered = (document: WorkflowDocument, from: string, to: string): WorkflowDocument =>
  edgesOf(document).some((each) => each[0] === from && each[1] === to)
    ? document
    : depend(document, { from, to });

/** The tasks at the ends of an edge of the graph. */
export function endsOf(document: WorkflowDocument, edgeId: string): { from: string; to: string } | null {
  const [list, index] = edgeId.split("/");
  const connection = list === "connection" ? document.connections?.[Number(index)] : undefined;
  return connection
    ? { from: connection.from.task, to: connection.to.task }
    : (document.dependencies?.[Number(index)] ?? null);
}

/** The conditions that an edge suggests for its target; none if a person has to write one. */
export function conditionActions(document: WorkflowDocument, edgeId: string, on: Actions): MenuAction[] {
  const ends = endsOf(document, edgeId);
  const from = document.tasks.find((each) => each.id === ends?.from);
  const to = document.tasks.find((each) => each.id === ends?.to);
  if (!from || !to) {
    return [];
  }
  const branches = branchesOf(from).filter(({ condition }) => !whenOf(to).includes(condition));
  return [
    ...branches.map(({ label, condition }) => ({
      label,
      onChoose: () => on.apply(withCondition(document, to.id, condition)),
    })),
    { label: "Write a condition…", onChoose: () => on.openCondition(to.id) },
  ];
}

/** The choices for an edge that was dropped on a task, if a branch can begin at its start; otherwise none. */
export function dropActions(
  document: WorkflowDocument,
  start: EdgeStart,
  to: string,
  on: Actions,
): MenuAction[] {
  const from = startOf(start);
  const source = document.tasks.find((each) => each.id === start.task);
  if (from === null || !source || start.task === to || closesCycle(document, start.task, to)) {
    return [];
  }
  const output = typeof from === "string" ? null : from.output;
  const name = output === null ? null : written(["tasks", source.id, output]);
  const branches = branchesOf(source).filter(
    ({ condition }) => name === null || condition === name || condition === `!${name}`,
  );
  if (branches.length === 0) {
    return [];
  }
  const target = document.tasks.find((each) => each.id === to);
  return [
    {
      label: output === null ? `Run after “${source.name}”` : `Pass ${output} to “${target?.name}”`,
      onChoose: () => on.apply(withDrop(document, start, to)),
    },
    ...branches.map(({ label, condition }) => ({
      label,
      onChoose: () => on.apply(withCondition(ordered(document, source.id, to), to, condition)),
    })),
    {
      label: "Write a condition…",
      onChoose: () => {
        on.apply(ordered(document, source.id, to));
        on.openCondition(to);
      },
    },
  ];
}
