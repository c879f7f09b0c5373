import {
  Background,
  Controls,
  Panel,
  ReactFlow,
  type Connection as Drawn,
  type Edge,
  type Node,
  type NodeChange,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { Button, Group, Tooltip, useComputedColorScheme } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconLayoutDistributeVertical } from "@tabler/icons-react";
import { useCallback, useMemo, useState } from "react";
import { closesCycle, KINDS, refusal, type Kind, type WorkflowDocument } from "../../graph/document";
import { addTask, connect, depend, removeEdges, removeTask } from "../../graph/edit";
import { FitOnResize } from "../../graph/FitOnResize";
import { shapeOf } from "../../graph/layout";
import { connectionsOf, nodesOf } from "../../graph/elements";
import { useMoving, usePlaces, useRenames } from "../../graph/places";
import { AFTER, BEFORE, KIND_ICONS, TaskNode, type TaskNodeData } from "../../graph/TaskNode";
import graph from "../../graph/graph.module.css";
import { taskOf, type Fault } from "./faults";
import classes from "./editor.module.css";

const NODE_TYPES = { task: TaskNode };

interface Props {
  orgId: string;
  workflowId: string;
  document: WorkflowDocument;
  faults: Fault[];
  chosen: string | null;
  /** Of a test run; while there is one the graph shows how far it is. */
  statuses?: { id: string; status: string }[];
  onChoose: (taskId: string | null) => void;
  onChange: (document: WorkflowDocument) => void;
}

function refuse(message: string) {
  notifications.show({ title: "These do not fit together", message, color: "red", autoClose: 8_000 });
}

/** What was drawn, as a change of the document; a sentence when it cannot be. */
function drawn(document: WorkflowDocument, wish: Drawn | Edge): WorkflowDocument | string {
  const { source, target, sourceHandle, targetHandle } = wish;
  if (sourceHandle === AFTER && targetHandle === BEFORE) {
    return source === target || closesCycle(document, source, target)
      ? "One of the two comes before the other already; this would make a circle."
      : depend(document, { from: source, to: target });
  }
  if (!sourceHandle?.startsWith("out:") || !targetHandle?.startsWith("in:")) {
    return "Draw from an output to an input, or from the square of one task to that of another for order alone.";
  }
  const connection = {
    from: { task: source, output: sourceHandle.slice("out:".length) },
    to: { task: target, input: targetHandle.slice("in:".length) },
  };
  return refusal(document, connection) ?? connect(document, connection);
}

export function EditorGraph({
  orgId,
  workflowId,
  document,
  faults,
  chosen,
  statuses,
  onChoose,
  onChange,
}: Props) {
  const scheme = useComputedColorScheme("light");
  const { data: places } = usePlaces(orgId, workflowId);
  const { move, tidy, rename } = useMoving(orgId, workflowId);
  const ids = useMemo(() => document.tasks.map((task) => task.id), [document.tasks]);
  useRenames(ids, rename);
  const [chosenEdges, setChosenEdges] = useState<ReadonlySet<string>>(new Set());
  const nodes = useMemo(() => {
    const count = new Map<string, number>();
    for (const fault of faults) {
      const id = taskOf(document, fault.path ?? "");
      if (id !== undefined) {
        count.set(id, (count.get(id) ?? 0) + 1);
      }
    }
    const status = new Map(statuses?.map((each) => [each.id, each.status]));
    return nodesOf(
      document,
      (id) => ({ faults: count.get(id) ?? 0, editable: true, status: status.get(id) }),
      places,
    ).map((node) => ({ ...node, selected: node.id === chosen }));
  }, [document, faults, statuses, places, chosen]);
  const edges = useMemo(
    () => connectionsOf(document).map((edge) => ({ ...edge, selected: chosenEdges.has(edge.id) })),
    [document, chosenEdges],
  );
  const onNodesChange = useCallback(
    (changes: NodeChange<Node<TaskNodeData>>[]) => {
      for (const each of changes) {
        if (each.type === "position" && each.position) {
          move(each.id, each.position);
        }
      }
    },
    [move],
  );
  const add = (kind: Kind) => {
    const added = addTask(document, kind);
    onChange(added.document);
    onChoose(added.id);
  };
  const onConnect = (wish: Drawn) => {
    const result = drawn(document, wish);
    if (typeof result === "string") {
      refuse(result);
    } else {
      onChange(result);
    }
  };
  return (
    <div className={`${graph.canvas} ${classes.graph}`}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={scheme}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        minZoom={0.2}
        deleteKeyCode={["Delete", "Backspace"]}
        onNodesChange={onNodesChange}
        onNodeClick={(_, node) => onChoose(node.id)}
        onPaneClick={() => {
          onChoose(null);
          setChosenEdges(new Set());
        }}
        onEdgeClick={(_, edge) => setChosenEdges(new Set([edge.id]))}
        onConnect={onConnect}
        onDelete={({ nodes: goneNodes, edges: goneEdges }) => {
          const cut = removeEdges(
            document,
            goneEdges.map((edge) => edge.id),
          );
          onChange(goneNodes.reduce((rest, node) => removeTask(rest, node.id), cut));
          onChoose(null);
        }}
      >
        <Background />
        <FitOnResize shape={shapeOf(document)} tidied={places?.size === 0} />
        <Controls position="bottom-right" showInteractive={false} />
        <Panel position="top-left">
          <Group gap={6}>
            {KINDS.map((kind) => {
              const Picture = KIND_ICONS[kind];
              return (
                <Button
                  key={kind}
                  size="xs"
                  variant="default"
                  leftSection={<Picture size={14} />}
                  onClick={() => add(kind)}
                  aria-label={`Add ${kind} task`}
                >
                  {kind}
                </Button>
              );
            })}
            {places !== undefined && places.size > 0 && (
              <Tooltip label="Put every task where the order of the graph wants it">
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconLayoutDistributeVertical size={14} />}
                  onClick={tidy}
                >
                  Tidy up
                </Button>
              </Tooltip>
            )}
          </Group>
        </Panel>
      </ReactFlow>
    </div>
  );
}
