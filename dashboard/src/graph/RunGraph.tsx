import { Background, Controls, ReactFlow, useReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useMemo, type KeyboardEvent } from "react";
import { usePrinting } from "../components/usePrinting";
import type { Task, WorkflowDocument } from "./document";
import { EMPTY_CANVAS, type TaskPositions } from "./canvas";
import { FlowEdge } from "./FlowEdge";
import { flowEdgesOf, flowNodesOf } from "./flowElements";
import { arrange, columnsFor, heightOf, layout, NODE_WIDTH } from "./layout";
import { TaskNode, type TaskNodeData, type TaskRun } from "./TaskNode";
import { onPaper, PAPER_COLUMNS } from "./paper";
import { around, fitted, neededHeight } from "./viewport";
import classes from "./graph.module.css";

const NODE_TYPES = { task: TaskNode };
const EDGE_TYPES = { flow: FlowEdge };
const MIN_HEIGHT = 160;
const MAX_HEIGHT = 560;
/** The height of the buttons below the graph. */
const CONTROLS = 44;
const FIT = { maxZoom: 1, padding: { x: "5%", top: "5%", bottom: `${CONTROLS}px` } } as const;

interface Props {
  document: WorkflowDocument;
  tasks: readonly TaskRun[];
  /** The task positions from the editor. */
  positions?: TaskPositions;
  selected?: string | null;
  subtitleOf?: (task: Task) => string;
  /** How a task differs from another version. */
  changeOf?: (taskId: string) => TaskNodeData["change"];
  onSelect?: (taskId: string) => void;
}

/** A read-only graph: of a run with the status of each task, or of a version with its changes. */
export default function RunGraph({ document, tasks, positions, selected, onSelect, ...about }: Props) {
  const { subtitleOf, changeOf } = about;
  const scheme = useComputedColorScheme("light");
  const { ref, width } = useElementSize();
  const printing = usePrinting();
  const perRow = printing ? PAPER_COLUMNS : columnsFor(width);
  const places = useMemo(
    () => arrange(document, positions ?? EMPTY_CANVAS.positions, layout(document, perRow)),
    [document, positions, perRow],
  );
  const bounds = around(
    document.tasks.map((task) => ({ ...places.get(task.id)!, width: NODE_WIDTH, height: heightOf(task) })),
  ) ?? { x: 0, y: 0, width: NODE_WIDTH, height: 100 };
  const height = Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, neededHeight(bounds, width) + CONTROLS));
  const viewport = fitted(bounds, { width, height: height - CONTROLS });
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const nodes = flowNodesOf(document, (id) => ({ run: byId.get(id), change: changeOf?.(id) }), places).map(
    (node) => ({
      ...node,
      data: { ...node.data, subtitle: subtitleOf?.(node.data.task) },
      selected: node.id === selected,
    }),
  );
  const edges = flowEdgesOf(document, places).map((edge) => ({
    ...edge,
    animated: byId.get(edge.target)?.status === "RUNNING",
    ...([edge.source, edge.target].some((id) => changeOf?.(id) === "removed")
      ? { style: { ...edge.style, opacity: 0.45 } }
      : {}),
  }));
  const selectByKey = (event: KeyboardEvent) => {
    const node = (event.target as HTMLElement).closest<HTMLElement>(".react-flow__node");
    if (node?.dataset.id !== undefined && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      onSelect?.(node.dataset.id);
    }
  };
  return (
    // The nodes have the focus; their keys are handled here.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={ref} className={classes.canvas} style={{ height }} onKeyDown={selectByKey}>
      {width > 0 && (
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          colorMode={scheme}
          style={onPaper(bounds)}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          defaultViewport={viewport}
          minZoom={0.2}
          preventScrolling={false}
          zoomOnScroll={false}
          onNodeClick={(_, node) => onSelect?.(node.id)}
        >
          <Background />
          <FollowViewport {...viewport} />
          <Controls orientation="horizontal" showInteractive={false} fitViewOptions={FIT} />
        </ReactFlow>
      )}
    </div>
  );
}

/** Fits the graph again when its size or its place changes. */
function FollowViewport({ x, y, zoom }: { x: number; y: number; zoom: number }) {
  const { setViewport } = useReactFlow();
  useEffect(() => {
    void setViewport({ x, y, zoom });
  }, [x, y, zoom, setViewport]);
  return null;
}
