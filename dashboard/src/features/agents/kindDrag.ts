import { useReactFlow } from "@xyflow/react";
import type { DragEvent } from "react";
import { NODE_WIDTH } from "../../graph/layout";
import type { NewTaskPlace } from "./useCanvasEditing";
import type { TaskKind } from "../../graph/document";
import { TASK_KINDS } from "../../graph/TaskNode";

/** While a task of a kind is dragged from the toolbar to the canvas. */
const TYPE = "application/x-parley-task-kind";

export function dragKind({ dataTransfer }: DragEvent, kind: TaskKind) {
  dataTransfer.setData(TYPE, kind);
  dataTransfer.effectAllowed = "copy";
}

/** The pointer is in the middle of the title of a task that is dropped. */
const DROP_OFFSET = 28;

/** Adds a task where its kind is dropped: on a connection, or at a place of the canvas. */
export function useKindDrop(add: (kind: TaskKind, fields: object, place: NewTaskPlace) => void) {
  const { screenToFlowPosition } = useReactFlow();
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(TYPE)) {
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      }
    },
    onDrop: (event: DragEvent) => {
      const kind = TASK_KINDS.find((each) => each === event.dataTransfer.getData(TYPE));
      if (kind) {
        event.preventDefault();
        const edge = edgeAt(event);
        const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY });
        add(kind, {}, edge ? { edge } : { at: { x: x - NODE_WIDTH / 2, y: y - DROP_OFFSET } });
      }
    },
  };
}

/** The edge at a place, also below its buttons. */
const edgeAt = ({ clientX, clientY }: DragEvent) =>
  document
    .elementsFromPoint(clientX, clientY)
    .map((each) => each.closest<SVGElement>(".react-flow__edge")?.dataset.id)
    .find((id) => id !== undefined);
