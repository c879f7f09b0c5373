import { useReactFlow, type Connection as DrawnEdge, type FinalConnectionState } from "@xyflow/react";
import { useCallback, useEffect, useState } from "react";
import type { WorkflowDocument } from "../../graph/document";
import { BEFORE } from "../../graph/TaskNode";
import { dropActions } from "./branching";
import type { MenuAction } from "./CanvasMenu";
import { startOf, withDrop, withEdge, type EdgeStart } from "./connecting";
import { useBorderPan } from "./useBorderPan";
import type { NewTaskPlace } from "./useCanvasEditing";

const REFUSAL_SHOWN_MS = 10_000;

/** A message about something that the canvas can’t do; the next one replaces it. */
export function useRefusal() {
  const [refusal, setRefusal] = useState<{ text: string } | null>(null);
  useEffect(() => {
    const timer = refusal && window.setTimeout(() => setRefusal(null), REFUSAL_SHOWN_MS);
    return () => window.clearTimeout(timer ?? undefined);
  }, [refusal]);
  const refuse = useCallback((text: string | null) => setRefusal(text === null ? null : { text }), []);
  return [refusal?.text ?? null, refuse] as const;
}

interface Options {
  document: WorkflowDocument;
  onChange: (document: WorkflowDocument) => void;
  onRefuse: (reason: string | null) => void;
  /** Called when an edge ends on the empty canvas. */
  onAddTask: (place: NewTaskPlace) => void;
  /** Called with the ID of a new edge. */
  onConnected: (edgeId: string) => void;
  onOpenCondition: (taskId: string) => void;
  /** Called when an edge that may begin a branch is dropped on a task. */
  onChoose: (actions: MenuAction[], at: { x: number; y: number }, target: string) => void;
}

/** The last edge of the one kind that has grown. */
function newEdge(before: WorkflowDocument, after: WorkflowDocument): string | null {
  const added = (list: "connections" | "dependencies") =>
    (after[list] ?? []).length > (before[list] ?? []).length ? after[list]!.length - 1 : null;
  const connection = added("connections");
  const dependency = added("dependencies");
  return connection === null
    ? dependency === null
      ? null
      : `dependency/${dependency}`
    : `connection/${connection}`;
}

/** Connections drawn between connection points, to tasks and to the empty canvas. */
export function useConnecting(options: Options) {
  const { document, onChange, onRefuse, onAddTask, onConnected, onOpenCondition, onChoose } = options;
  const { screenToFlowPosition } = useReactFlow();
  const pan = useBorderPan();
  const apply = (result: WorkflowDocument | string) => {
    onRefuse(typeof result === "string" ? result : null);
    if (typeof result !== "string") {
      onChange(result);
      const edge = newEdge(document, result);
      if (edge !== null) {
        onConnected(edge);
      }
    }
  };
  const choicesAt = (start: EdgeStart, task: string) =>
    dropActions(document, start, task, { apply, openCondition: onOpenCondition });
  const onConnect = (edge: DrawnEdge) => {
    const start = { task: edge.source, handle: edge.sourceHandle ?? "" };
    // The choices open when the gesture ends, where its place is known.
    if (edge.targetHandle !== BEFORE || choicesAt(start, edge.target).length === 0) {
      apply(withEdge(document, edge));
    }
  };
  const onConnectEnd = (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
    pan.end();
    const { isValid, fromNode, fromHandle, toNode, toHandle } = state;
    const point = "changedTouches" in event ? event.changedTouches[0] : event;
    if (!fromNode || !fromHandle || !point) {
      return;
    }
    const start = { task: fromNode.id, handle: fromHandle.id ?? "" };
    if (isValid) {
      const choices = toNode && toHandle?.id === BEFORE ? choicesAt(start, toNode.id) : [];
      if (toNode && choices.length > 0) {
        onChoose(choices, { x: point.clientX, y: point.clientY }, toNode.id);
      }
      return;
    }
    const under = window.document.elementFromPoint(point.clientX, point.clientY);
    const task = under?.closest<HTMLElement>(".react-flow__node-task")?.dataset.id;
    const after = startOf(start);
    const choices = task === undefined ? [] : choicesAt(start, task);
    if (task !== undefined && choices.length > 0) {
      onChoose(choices, { x: point.clientX, y: point.clientY }, task);
    } else if (task !== undefined && task !== start.task) {
      apply(withDrop(document, start, task));
    } else if (task === undefined && after !== null && under?.closest(".react-flow__pane")) {
      onAddTask({ after, at: screenToFlowPosition({ x: point.clientX, y: point.clientY }) });
    }
  };
  return { onConnectStart: pan.begin, onConnect, onConnectEnd };
}
