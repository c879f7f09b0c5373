import { useMemo } from "react";
import type { TaskPositions } from "../../graph/canvas";
import type { Task } from "../../graph/document";
import { flowEdgesOf, flowNodesOf, noteNodesOf, type GraphNode } from "../../graph/flowElements";
import type { TaskRun } from "../../graph/TaskNode";
import type { Draft } from "./useDraftSaving";
import { distinctIssues, fieldAtPath, taskAtPath, type ValidationIssue } from "../../values/validation";

interface Options {
  draft: Draft;
  shown: TaskPositions;
  issues: readonly ValidationIssue[];
  runs?: readonly TaskRun[];
  selection: ReadonlySet<string>;
  selectedEdges: ReadonlySet<string>;
  subtitleOf: (task: Task) => string;
}

/** The nodes and edges that the canvas draws. */
export function useCanvasElements(options: Options) {
  const { draft, shown, issues, runs, selection, selectedEdges, subtitleOf } = options;
  const { document, canvas } = draft;
  const nodes = useMemo(() => {
    const fields = new Map<string, string[]>();
    for (const { path = "" } of distinctIssues(issues)) {
      const id = taskAtPath(document, path);
      if (id !== undefined) {
        fields.set(id, [...(fields.get(id) ?? []), fieldAtPath(path)]);
      }
    }
    const run = new Map(runs?.map((each) => [each.id, each]));
    const subtitles = new Map(document.tasks.map((task) => [task.id, subtitleOf(task)]));
    const all: GraphNode[] = [
      ...noteNodesOf(canvas.notes),
      ...flowNodesOf(
        document,
        (id) => ({
          issues: fields.get(id),
          editable: true,
          run: run.get(id),
          subtitle: subtitles.get(id),
        }),
        shown,
      ),
    ];
    return all.map((node) => ({ ...node, selected: selection.has(node.id) }));
  }, [document, canvas.notes, shown, issues, runs, selection, subtitleOf]);
  const edges = useMemo(
    () => flowEdgesOf(document, shown).map((edge) => ({ ...edge, selected: selectedEdges.has(edge.id) })),
    [document, shown, selectedEdges],
  );
  return { nodes, edges };
}
