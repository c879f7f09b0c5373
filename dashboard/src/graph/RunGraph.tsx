import { Background, Controls, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useComputedColorScheme } from "@mantine/core";
import type { WorkflowDocument } from "./document";
import { shapeOf } from "./layout";
import { FitOnResize } from "./FitOnResize";
import { connectionsOf, nodesOf } from "./elements";
import type { Places } from "./places";
import { TaskNode } from "./TaskNode";
import classes from "./graph.module.css";

const NODE_TYPES = { task: TaskNode };

interface Props {
  document: WorkflowDocument;
  statuses: ReadonlyMap<string, string>;
  /** Where the tasks were put in the editor. */
  places?: Places;
  chosen?: string | null;
  onChoose?: (taskId: string) => void;
  height?: number;
}

/** A definition with how far each of its tasks is, for looking at. */
export default function RunGraph({ document, statuses, places, chosen, onChoose, height = 380 }: Props) {
  const scheme = useComputedColorScheme("light");
  const nodes = nodesOf(document, (id) => ({ status: statuses.get(id) }), places).map((node) => ({
    ...node,
    selected: node.id === chosen,
  }));
  const edges = connectionsOf(document).map((edge) => ({
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
        onNodeClick={(_, node) => onChoose?.(node.id)}
      >
        <Background />
        <FitOnResize shape={shapeOf(document)} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}
