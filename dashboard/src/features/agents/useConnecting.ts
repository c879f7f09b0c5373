import { useReactFlow, type Connection as DrawnEdge, type FinalConnectionState } from "@xyflow/react";
import { useCallback, useEffect, useState } from "react";
import type { WorkflowDocument } from "../../graph/document";
import { startOf, withDrop, withEdge } from "./connecting";
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
}

/** Connections drawn between connection points, to tasks and to the empty canvas. */
export function useConnecting({ document, onChange, onRefuse, onAddTask }: Options) {
  const { screenToFlowPosition } = useReactFlow();
  const apply = (result: WorkflowDocument | string) => {
    onRefuse(typeof result === "string" ? result : null);
    if (typeof result !== "string") {
      onChange(result);
    }
  };
  const onConnectEnd = (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
    const { isValid, fromNode, fromHandle } = state;
    const point = "changedTouches" in event ? event.changedTouches[0] : event;
    if (isValid || !fromNode || !fromHandle || !point) {
      return;
    }
    const start = { task: fromNode.id, handle: fromHandle.id ?? "" };
    const under = window.document.elementFromPoint(point.clientX, point.clientY);
    const task = under?.closest<HTMLElement>(".react-flow__node-task")?.dataset.id;
    const after = startOf(start);
    if (task !== undefined && task !== start.task) {
      apply(withDrop(document, start, task));
    } else if (task === undefined && after !== null && under?.closest(".react-flow__pane")) {
      onAddTask({ after, at: screenToFlowPosition({ x: point.clientX, y: point.clientY }) });
    }
  };
  return { onConnect: (edge: DrawnEdge) => apply(withEdge(document, edge)), onConnectEnd };
}
