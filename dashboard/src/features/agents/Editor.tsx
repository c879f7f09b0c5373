import { Group, SegmentedControl, Stack } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense, useMemo } from "react";
import type { Schemas } from "../../api/client";
import type { Tagged } from "../../api/conflict";
import { LoadingIndicator } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { useFilters } from "../../components/useFilters";
import { useRun } from "../runs/queries";
import { AgentForm } from "./AgentForm";
import { AgentStatus } from "./AgentStatus";
import { EditorActions } from "./EditorActions";
import { EditorGraph } from "./EditorGraph";
import { ValidationIssuesContext } from "./validation";
import { IssueList } from "./IssueList";
import { SingleTaskRun } from "./SingleTaskRun";
import { TaskForm } from "./TaskForm";
import { TestRun } from "./TestRun";
import { useDraft, useValidation } from "./useDraft";
import { useDraftSaving } from "./useDraftSaving";
import { UnsavedWork } from "./UnsavedWork";
import { jsonIssue } from "./jsonError";
import classes from "./editor.module.css";

const JsonView = lazy(() => import("./JsonView"));

const VIEWS = [
  { value: "graph", label: "Graph" },
  { value: "json", label: "JSON" },
  { value: "test", label: "Test run" },
] as const;

/** Edits the agent's draft as a graph with forms or as JSON; both views change the same document. */
export function Editor({
  orgId,
  workflow,
}: {
  orgId: string;
  workflow: Tagged<Schemas["WorkflowWithDraft"]>;
}) {
  const draft = useDraft(workflow.document);
  const { document, change } = draft;
  const validation = useValidation(orgId, draft.raw);
  const filters = useFilters();
  const view = VIEWS.find((each) => each.value === filters.get("view"))?.value ?? "graph";
  // The selected task is part of the URL, so that links open its form and Back returns to the previous task.
  const selected = filters.get("task") ?? null;
  const choose = (id: string | null) => {
    if (id !== selected) {
      filters.set("task", id, { push: true });
    }
  };
  const run = useRun(orgId, filters.get("run") ?? "");
  const saving = useDraftSaving(orgId, workflow, draft);
  const { brokenJson } = saving;
  const issues = useMemo(
    () => (brokenJson === null ? (validation.data?.errors ?? []) : [jsonIssue(brokenJson)]),
    [brokenJson, validation.data],
  );
  // Refers to the current text, including unsaved changes.
  const valid = validation.data || brokenJson !== null ? issues.length === 0 : saving.workflow.valid;
  const task = document.tasks.find((each) => each.id === selected);

  useHotkeys([
    ["mod+Z", draft.undo],
    ["mod+shift+Z", draft.redo],
  ]);
  // Also while a field or the JSON view has the focus.
  useHotkeys([["mod+S", () => saving.save.mutate()]], [], true);

  return (
    <Page
      title={document.name || "Untitled agent"}
      back={{ to: `/organizations/${orgId}/agents`, label: "Agents" }}
      badge={<AgentStatus agent={{ ...saving.workflow, valid }} />}
      actions={<EditorActions orgId={orgId} draft={draft} saving={saving} issues={issues} />}
    >
      <ValidationIssuesContext value={issues}>
        <Stack gap="sm">
          <UnsavedWork
            draft={draft}
            saving={saving}
            view={view}
            onShowJson={() => filters.set("view", "json", { push: true })}
          />
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
              <Suspense fallback={<LoadingIndicator />}>
                <JsonView
                  raw={draft.raw}
                  broken={saving.brokenJson}
                  onChange={change}
                  onBroken={saving.setBrokenJson}
                />
              </Suspense>
            ) : (
              <EditorGraph
                orgId={orgId}
                workflowId={workflow.id}
                document={document}
                issues={issues}
                selected={selected}
                statuses={view === "test" && run.data ? run.data.tasks : undefined}
                onSelect={choose}
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
                  onSelect={choose}
                  onRenamed={(id) => filters.set("task", id)}
                />
              )}
              {view !== "test" && task && (
                <SingleTaskRun
                  key={task.id}
                  orgId={orgId}
                  document={document}
                  task={task}
                  saving={saving}
                  lastRun={run.data}
                />
              )}
              {view !== "test" && !task && <AgentForm document={document} onChange={change} />}
            </aside>
          </div>
          <IssueList document={document} issues={issues} error={validation.error} onSelect={choose} />
        </Stack>
      </ValidationIssuesContext>
    </Page>
  );
}
