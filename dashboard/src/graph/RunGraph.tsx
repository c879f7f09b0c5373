import { Background, Controls, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useComputedColorScheme } from "@mantine/core";
import type { WorkflowDocument } from "./document";
import { layoutKeyOf } from "./layout";
import { FitViewOnChange } from "./FitViewOnChange";
import { flowEdgesOf, flowNodesOf } from "./flowElements";
import type { TaskPositions } from "./positions";
import { TaskNode } from "./TaskNode";
import classes from "./graph.module.css";

const NODE_TYPES = { task: TaskNode };

interface Props {
  document: WorkflowDocument;
  statuses: ReadonlyMap<string, string>;
  /** The task positions from the editor. */
  positions?: TaskPositions;
  selected?: string | null;
  onSelect?: (taskId: string) => void;
  height?: number;
}

/** A read-only graph of a run with the status of each task. */
export default function RunGraph({ document, statuses, positions, selected, onSelect, height = 380 }: Props) {
  const scheme = useComputedColorScheme("light");
  const nodes = flowNodesOf(document, (id) => ({ status: statuses.get(id) }), positions).map((node) => ({
    ...node,
    selected: node.id === selected,
  }));
  const edges = flowEdgesOf(document).map((edge) => ({
    ...edge,
    animated: statuses.get(edge.target) === "RUNNING",
  }));
  return (
    <div className={classes.canvas} style={{ height }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={scheme}
        nodesDraggable={false}
        nodesConnectable={false}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.12 }}
        minZoom={0.2}
        onNodeClick={(_, node) => onSelect?.(node.id)}
      >
        <Background />
        <FitViewOnChange layoutKey={layoutKeyOf(document)} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}
