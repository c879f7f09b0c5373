import { Group, SegmentedControl, Stack } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense, useMemo } from "react";
import type { Schemas } from "../../api/client";
import { Waiting } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { useFilters } from "../../parts/useFilters";
import { useRun } from "../runs/queries";
import { AgentForm } from "./AgentForm";
import { AgentStatus } from "./AgentStatus";
import { EditorActions } from "./EditorActions";
import { EditorGraph } from "./EditorGraph";
import { Faults } from "./faults";
import { ProblemList } from "./ProblemList";
import { TaskForm } from "./TaskForm";
import { TestRun } from "./TestRun";
import { useDraft, useValidation } from "./useDraft";
import { useSaving } from "./useSaving";
import classes from "./editor.module.css";

const JsonView = lazy(() => import("./JsonView"));

const VIEWS = [
  { value: "graph", label: "Graph" },
  { value: "json", label: "JSON" },
  { value: "test", label: "Test run" },
] as const;

/** The agent's draft: as a graph with forms, or as the JSON document; both are the same thing. */
export function Editor({ orgId, workflow }: { orgId: string; workflow: Schemas["WorkflowWithDraft"] }) {
  const draft = useDraft(workflow.document);
  const { document, change } = draft;
  const validation = useValidation(orgId, draft.raw);
  const faults = useMemo(() => validation.data?.errors ?? [], [validation.data]);
  const filters = useFilters();
  const view = VIEWS.find((each) => each.value === filters.get("view"))?.value ?? "graph";
  // The chosen task stands in the address, too: a link leads to its form, and "back" to the task before.
  const chosen = filters.get("task") ?? null;
  const choose = (id: string | null) => {
    if (id !== chosen) {
      filters.set("task", id, { push: true });
    }
  };
  const run = useRun(orgId, filters.get("run") ?? "");
  const saving = useSaving(orgId, workflow, draft);
  // As it is written now, saved or not.
  const valid = validation.data ? faults.length === 0 : saving.workflow.valid;
  const task = document.tasks.find((each) => each.id === chosen);

  useHotkeys([
    ["mod+Z", draft.undo],
    ["mod+shift+Z", draft.redo],
  ]);
  // In fields and in the JSON view, too.
  useHotkeys([["mod+S", () => saving.save.mutate()]], [], true);

  return (
    <Page
      title={document.name || "Unnamed agent"}
      back={{ to: `/organizations/${orgId}/agents`, label: "Agents" }}
      badge={<AgentStatus agent={{ ...saving.workflow, valid }} />}
      actions={<EditorActions orgId={orgId} draft={draft} saving={saving} faults={faults} />}
    >
      <Faults value={faults}>
        <Stack gap="sm">
          <Group justify="space-between">
            <SegmentedControl
              aria-label="View"
              data={[...VIEWS]}
              value={view}
              onChange={(value) => filters.set("view", value === "graph" ? null : value, { push: true })}
            />
          </Group>
          <div className={classes.split}>
            {view === "json" ? (
              <Suspense fallback={<Waiting />}>
                <JsonView raw={draft.raw} onChange={change} />
              </Suspense>
            ) : (
              <EditorGraph
                orgId={orgId}
                workflowId={workflow.id}
                document={document}
                faults={faults}
                chosen={chosen}
                statuses={view === "test" && run.data ? run.data.tasks : undefined}
                onChoose={choose}
                onChange={change}
              />
            )}
            <aside className={classes.side} aria-label={view === "test" ? "Test run" : "Properties"}>
              {view === "test" && (
                <TestRun
                  orgId={orgId}
                  document={document}
                  saving={saving}
                  run={run.data}
                  onStarted={(id) => filters.set("run", id)}
                />
              )}
              {view !== "test" && task && (
                <TaskForm
                  key={document.tasks.indexOf(task)}
                  document={document}
                  task={task}
                  onChange={change}
                  onChoose={choose}
                  onRenamed={(id) => filters.set("task", id)}
                />
              )}
              {view !== "test" && !task && <AgentForm document={document} onChange={change} />}
            </aside>
          </div>
          <ProblemList document={document} faults={faults} error={validation.error} onChoose={choose} />
        </Stack>
      </Faults>
    </Page>
  );
}
