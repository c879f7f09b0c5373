import { SegmentedControl } from "@mantine/core";
import { useFullscreenDocument, useHotkeys } from "@mantine/hooks";
import {
  IconLayoutSidebarRightCollapse,
  IconLayoutSidebarRightExpand,
  IconMaximize,
  IconMinimize,
} from "@tabler/icons-react";
import { useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useCodeArtifacts, useRun, type Schemas, type Tagged } from "../../api";
import { LargeIconButton } from "../../components/IconButton";
import { Page } from "../../components/Page";
import { lazily } from "../../components/lazily";
import { optionsOf } from "../../components/optionsOf";
import { useFilters } from "../../components/useFilters";
import { useStored } from "../../components/useStored";
import type { Canvas } from "../../graph/canvas";
import { isUntouched } from "../../graph/changes";
import { hasFailed } from "../../graph/shownStatus";
import { useCanvasSaving } from "../../graph/positions";
import { AgentForm } from "./AgentForm";
import { AgentStatus } from "./AgentStatus";
import { DraftStatus } from "./DraftStatus";
import { EditorActions } from "./EditorActions";
import { EditorGraph } from "./EditorGraph";
import { isLastTabStop, useFormFocus } from "./formFocus";
import { ValidationIssuesContext, taskAtPath, type ValidationIssue } from "../../values/validation";
import { asInstruction } from "./issueInstructions";
import { IssueList } from "./IssueList";
import { isPublished } from "./PublishButton";
import { PrintedAgent } from "./PrintedAgent";
import { SelectionPanel } from "./SelectionPanel";
import { TaskPanel } from "./TaskPanel";
import { TestTask } from "./TestTask";
import { TestRun } from "./TestRun";
import { useDraft, useValidation } from "./useDraft";
import { useDraftSaving } from "./useDraftSaving";
import { useHistorySteps } from "./useHistorySteps";
import { useSelection } from "./useSelection";
import { UnsavedWork } from "./UnsavedWork";
import { jsonIssue } from "./jsonError";
import { codeWarningsOf, warningsOf } from "./warnings";
import classes from "./editor.module.css";

const JsonView = lazily(() => import("./JsonView"));

const VIEWS = optionsOf({ graph: "Graph", json: "JSON", test: "Test run" });

interface Props {
  workflow: Tagged<Schemas["WorkflowWithDraft"]>;
  canvas: Canvas;
}

/** Edits the agent's draft as a graph with forms or as JSON; both views change the same document. */
export function Editor({ workflow, canvas }: Props) {
  const edited = useDraft(workflow.id, workflow.document, canvas);
  const { document, change, finish } = edited;
  useCanvasSaving(workflow.id, edited.canvas);
  const validation = useValidation(workflow.id, edited.raw);
  const filters = useFilters();
  const view = VIEWS.find((each) => each.value === filters.get("view"))?.value ?? "graph";
  // The selected task is part of the URL, so that links open its form and Back returns to the previous task.
  const opened = filters.get("task") ?? null;
  // The open task, while the form that runs it alone is shown.
  const [runAlone, setRunAlone] = useState<string | null>(null);
  const choose = (id: string | null) => {
    // The rendered task may be older than the URL.
    if (id !== new URLSearchParams(window.location.search).get("task")) {
      finish();
      setRunAlone(null);
      filters.set("task", id, { push: true });
    }
  };
  const { selection, select } = useSelection(edited, opened, choose);
  const draft = { ...edited, ...useHistorySteps(edited, selection, select) };
  const run = useRun(filters.get("run") ?? "");
  const saving = useDraftSaving(workflow, draft);
  const { brokenJson } = saving;
  const issues = useMemo(
    () =>
      brokenJson === null
        ? (validation.data?.errors ?? []).map((issue) => asInstruction(document, issue))
        : [jsonIssue(brokenJson)],
    [brokenJson, validation.data, document],
  );
  const { data: artifacts } = useCodeArtifacts();
  const warnings = useMemo(
    () =>
      brokenJson === null ? [...warningsOf(document), ...codeWarningsOf(document, artifacts ?? [])] : [],
    [brokenJson, document, artifacts],
  );
  const shownIssues = useMemo(
    () => issues.filter((issue) => !isUntouched(draft.unfinished, issue.path ?? "")),
    [issues, draft.unfinished],
  );
  // Refers to the current text, including unsaved changes.
  const valid = validation.data || brokenJson !== null ? issues.length === 0 : saving.workflow.valid;
  const version = saving.workflow.published_version;
  const task = document.tasks.find((each) => each.id === opened);

  const testTask = view === "test" ? run.data?.tasks.find((each) => each.id === opened) : undefined;

  const [showsIssues, setShowsIssues] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const [hasPanel, setHasPanel] = useStored("editor.panel", true);
  const requestFocus = useFormFocus(panel, view === "test" ? undefined : (task?.id ?? null));
  const { fullscreen, toggle: toggleFullScreen } = useFullscreenDocument();
  const open = (id: string | null, { issue, field }: { issue?: ValidationIssue; field?: string } = {}) => {
    setHasPanel(true);
    select(new Set(id === null ? [] : [id]));
    if (issue) {
      showForms();
    }
    if (view !== "test" || issue) {
      requestFocus({ task: id, issue, field });
    }
  };
  const showForms = () => {
    if (view === "test") {
      filters.set("view", null, { push: true });
    }
  };
  const showRunAlone = (id: string) => {
    setHasPanel(true);
    setRunAlone(id);
    showForms();
  };
  /**
   * Escape closes the task and returns to its node; open lists and dialogs handle the key themselves. Tab after the last
   * field returns there, too, and not to the top of the page.
   */
  const leaveByKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (opened === null || !panel.current?.contains(target)) {
      return;
    }
    const isEscape = event.key === "Escape" && target.getAttribute("aria-expanded") !== "true";
    const isPastEnd = event.key === "Tab" && !event.shiftKey && isLastTabStop(panel.current, target);
    if (isEscape || isPastEnd) {
      event.preventDefault();
      window.document
        .querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(opened)}"]`)
        ?.focus();
    }
    if (isEscape) {
      choose(null);
    }
  };

  useHotkeys([
    ["mod+Z", draft.undo],
    ["mod+shift+Z", draft.redo],
  ]);
  // Also while a field or the JSON view has the focus.
  useHotkeys([["mod+S", () => void saving.flush().catch(() => {})]], [], true);

  const panelName = view === "test" ? "Test run" : "Properties";
  return (
    <div className={classes.editor} data-full-screen={fullscreen || undefined}>
      <Page
        dense
        title={document.name || "Untitled agent"}
        back={{ to: "agents", label: "Agents" }}
        badge={<AgentStatus agent={{ ...saving.workflow, valid }} withoutVersion />}
        details={<DraftStatus saving={saving} />}
        actions={
          <>
            <SegmentedControl
              aria-label="View"
              data={[...VIEWS]}
              value={view}
              onChange={(value) =>
                filters.setAll(
                  // A test run begins with its form instead of the task of an earlier run.
                  { view: value === "graph" ? null : value, ...(value === "test" ? { task: null } : {}) },
                  { push: true },
                )
              }
            />
            <EditorActions
              draft={draft}
              saving={saving}
              issues={issues}
              warnings={warnings}
              onIssues={() => setShowsIssues(true)}
            />
            <LargeIconButton
              {...named(fullscreen ? "Exit full screen" : "Full screen")}
              icon={fullscreen ? IconMinimize : IconMaximize}
              onClick={() => void toggleFullScreen()}
            />
            <LargeIconButton
              {...named(hasPanel ? "Hide panel" : "Show panel")}
              icon={hasPanel ? IconLayoutSidebarRightCollapse : IconLayoutSidebarRightExpand}
              onClick={() => setHasPanel(!hasPanel)}
            />
          </>
        }
      >
        <UnsavedWork
          draft={draft}
          saving={saving}
          view={view}
          onShowJson={() => filters.set("view", "json", { push: true })}
        />
        <ValidationIssuesContext value={shownIssues}>
          <div className={classes.split} data-with-panel={hasPanel || undefined}>
            <div className={classes.main}>
              {view === "json" ? (
                <div className={classes.json}>
                  <JsonView
                    raw={draft.raw}
                    broken={brokenJson}
                    onChange={change}
                    onBroken={saving.setBrokenJson}
                  />
                </div>
              ) : (
                <EditorGraph
                  draft={draft}
                  issues={shownIssues}
                  selection={selection}
                  runs={view === "test" ? run.data?.tasks : run.data?.tasks.filter(hasFailed)}
                  onSelect={select}
                  onOpen={(id, field) => open(id, { field })}
                  onRunAlone={showRunAlone}
                  onToggleFullScreen={() => void toggleFullScreen()}
                />
              )}
              <IssueList
                issues={issues}
                warnings={warnings}
                error={validation.error}
                ready={
                  isPublished(saving)
                    ? `Published as version ${version}. No changes.`
                    : version === null
                      ? "Ready to publish."
                      : `Ready to publish. Until then, new runs use version ${version}.`
                }
                expanded={showsIssues}
                onExpand={setShowsIssues}
                onOpen={(issue) => open(taskAtPath(document, issue.path ?? "") ?? null, { issue })}
              />
            </div>
            {hasPanel && (
              // The keys are shortcuts; the fields inside are the controls.
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
              <aside
                ref={panel}
                className={classes.side}
                data-with-bar={(view !== "test" && task !== undefined) || undefined}
                data-sheet={(view === "test" ? testTask : task) !== undefined || undefined}
                data-test={view === "test" || undefined}
                aria-label={panelName}
                onKeyDown={leaveByKey}
              >
                {view === "test" && (
                  // Hidden instead of removed, so that an unfinished answer stays.
                  <div hidden={testTask !== undefined}>
                    <TestRun
                      document={document}
                      saving={saving}
                      run={run.data}
                      onStarted={(id) => filters.set("run", id)}
                    />
                  </div>
                )}
                {run.data && testTask && (
                  <TestTask
                    key={testTask.id}
                    run={run.data}
                    task={testTask}
                    onEdit={() => {
                      showForms();
                      requestFocus({ task: testTask.id });
                    }}
                    onRunAlone={() => showRunAlone(testTask.id)}
                    onClose={() => choose(null)}
                  />
                )}
                {view !== "test" && task && (
                  <TaskPanel
                    key={document.tasks.indexOf(task)}
                    document={document}
                    task={task}
                    saving={saving}
                    lastRun={run.data}
                    showsRun={runAlone === task.id}
                    onShowRun={() => setRunAlone(task.id)}
                    onChange={change}
                    onSelect={choose}
                    onRenamed={(id) => filters.set("task", id)}
                  />
                )}
                {view !== "test" && !task && selection.size > 1 && <SelectionPanel count={selection.size} />}
                {view !== "test" && !task && selection.size <= 1 && (
                  <AgentForm document={document} onChange={change} />
                )}
              </aside>
            )}
          </div>
        </ValidationIssuesContext>
        <PrintedAgent document={document} />
      </Page>
    </div>
  );
}

const named = (label: string) => ({ label, tooltip: label, className: classes.toggle });
