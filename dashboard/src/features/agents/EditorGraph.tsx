import {
  Background,
  Controls,
  Panel,
  ReactFlow,
  type Connection as DrawnEdge,
  type Edge,
  type Node,
  type NodeChange,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { Button, Group, Tooltip, useComputedColorScheme } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconLayoutDistributeVertical } from "@tabler/icons-react";
import { useCallback, useMemo, useState } from "react";
import { closesCycle, connectionError, type TaskKind, type WorkflowDocument } from "../../graph/document";
import { addTask, connect, depend, removeEdges, removeTask } from "../../graph/documentEdits";
import { FitViewOnChange } from "../../graph/FitViewOnChange";
import { layoutKeyOf } from "../../graph/layout";
import { flowEdgesOf, flowNodesOf } from "../../graph/flowElements";
import { useTaskMoves, useTaskPositions, useRenamedTask } from "../../graph/positions";
import { AFTER, BEFORE, KIND_ICONS, TASK_KINDS, TaskNode, type TaskNodeData } from "../../graph/TaskNode";
import graph from "../../graph/graph.module.css";
import { taskAtPath, type ValidationIssue } from "./validation";
import classes from "./editor.module.css";

const NODE_TYPES = { task: TaskNode };

interface Props {
  orgId: string;
  workflowId: string;
  document: WorkflowDocument;
  issues: ValidationIssue[];
  selected: string | null;
  /** The task statuses of a test run. */
  statuses?: { id: string; status: string }[];
  onSelect: (taskId: string | null) => void;
  onChange: (document: WorkflowDocument) => void;
}

function showConnectionError(message: string) {
  notifications.show({ title: "Can’t connect these", message, color: "red", autoClose: 8_000 });
}

/** The document with the drawn edge, or the reason why the edge is invalid. */
function withEdge(document: WorkflowDocument, edge: DrawnEdge | Edge): WorkflowDocument | string {
  const { source, target, sourceHandle, targetHandle } = edge;
  if (sourceHandle === AFTER && targetHandle === BEFORE) {
    return source === target || closesCycle(document, source, target)
      ? "That would create a loop."
      : depend(document, { from: source, to: target });
  }
  if (!sourceHandle?.startsWith("out:") || !targetHandle?.startsWith("in:")) {
    return "Connect an output to an input, or two squares to set the order only.";
  }
  const connection = {
    from: { task: source, output: sourceHandle.slice("out:".length) },
    to: { task: target, input: targetHandle.slice("in:".length) },
  };
  return connectionError(document, connection) ?? connect(document, connection);
}

export function EditorGraph({
  orgId,
  workflowId,
  document,
  issues,
  selected,
  statuses,
  onSelect,
  onChange,
}: Props) {
  const scheme = useComputedColorScheme("light");
  const { data: positions } = useTaskPositions(orgId, workflowId);
  const { move, resetLayout, rename } = useTaskMoves(orgId, workflowId);
  const ids = useMemo(() => document.tasks.map((task) => task.id), [document.tasks]);
  useRenamedTask(ids, rename);
  const [selectedEdges, setSelectedEdges] = useState<ReadonlySet<string>>(new Set());
  const nodes = useMemo(() => {
    const count = new Map<string, number>();
    for (const issue of issues) {
      const id = taskAtPath(document, issue.path ?? "");
      if (id !== undefined) {
        count.set(id, (count.get(id) ?? 0) + 1);
      }
    }
    const status = new Map(statuses?.map((each) => [each.id, each.status]));
    return flowNodesOf(
      document,
      (id) => ({ issues: count.get(id) ?? 0, editable: true, status: status.get(id) }),
      positions,
    ).map((node) => ({ ...node, selected: node.id === selected }));
  }, [document, issues, statuses, positions, selected]);
  const edges = useMemo(
    () => flowEdgesOf(document).map((edge) => ({ ...edge, selected: selectedEdges.has(edge.id) })),
    [document, selectedEdges],
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
  const add = (kind: TaskKind) => {
    const added = addTask(document, kind);
    onChange(added.document);
    onSelect(added.id);
  };
  const onConnect = (edge: DrawnEdge) => {
    const result = withEdge(document, edge);
    if (typeof result === "string") {
      showConnectionError(result);
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
        onNodeClick={(_, node) => onSelect(node.id)}
        onPaneClick={() => {
          onSelect(null);
          setSelectedEdges(new Set());
        }}
        onEdgeClick={(_, edge) => setSelectedEdges(new Set([edge.id]))}
        onConnect={onConnect}
        onDelete={({ nodes: deletedNodes, edges: deletedEdges }) => {
          const withoutEdges = removeEdges(
            document,
            deletedEdges.map((edge) => edge.id),
          );
          onChange(deletedNodes.reduce((rest, node) => removeTask(rest, node.id), withoutEdges));
          onSelect(null);
        }}
      >
        <Background />
        <FitViewOnChange layoutKey={layoutKeyOf(document)} isAutoArranged={positions?.size === 0} />
        <Controls position="bottom-right" showInteractive={false} />
        <Panel position="top-left">
          <Group gap={6}>
            {TASK_KINDS.map((kind) => {
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
            {positions !== undefined && positions.size > 0 && (
              <Tooltip label="Arrange tasks automatically">
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconLayoutDistributeVertical size={14} />}
                  onClick={resetLayout}
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
