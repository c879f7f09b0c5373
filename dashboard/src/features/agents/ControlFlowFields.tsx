import { Group, MultiSelect, NumberInput, Select, Stack, Switch } from "@mantine/core";
import {
  acceptedInputTypes,
  closesCycle,
  inputsOf,
  isObject,
  outputsOf,
  type InputParameter,
  type Task,
  type WorkflowDocument,
} from "../../graph/document";
import { conditionNames, outputNames, predecessorsOf, PREVIOUS } from "../../graph/controlFlow";
import { runAfter } from "../../graph/documentEdits";
import { written } from "../../graph/expressions";
import { ITEM_FAILURES, JOINS } from "./choices";
import { ConditionField } from "./ConditionField";
import { useIssuesAt } from "../../values/validation";
import classes from "./editor.module.css";

interface Props {
  document: WorkflowDocument;
  task: Task;
  path: string;
  onChange: (change: Partial<Task>) => void;
  onDocument: (document: WorkflowDocument) => void;
}

/** The fields of a task that set when and how often it runs. */
export const CONTROL_FLOW_FIELDS = ["when", "join", "for_each", "repeat"] as const;

/** Whether the task depends on a condition or on another task, or runs more than once. */
export const hasControlFlow = (document: WorkflowDocument, task: Task): boolean =>
  CONTROL_FLOW_FIELDS.some((field) => Boolean(task[field])) ||
  (document.dependencies ?? []).some(({ to }) => to === task.id);

/** When and how often a task runs. */
export function ControlFlowFields({ document, task, path, onChange, onDocument }: Props) {
  const at = useIssuesAt();
  const joins = predecessorsOf(document, task.id).length > 1 || Boolean(task.join);
  return (
    <>
      <RunsAfter document={document} task={task} onDocument={onDocument} />
      {joins && (
        <Select
          label="Join"
          description={
            task.join === "any"
              ? "Skipped only if all tasks before it are skipped."
              : "Skipped as soon as one task before it is skipped."
          }
          allowDeselect={false}
          data={JOINS}
          value={task.join ?? "all"}
          error={at(`${path}/join`)}
          onChange={(join) => onChange({ join: join === "any" ? "any" : undefined })}
        />
      )}
      <ConditionField
        label="Run only if"
        field="when"
        names={conditionNames(document, task)}
        value={typeof task.when === "string" ? task.when : ""}
        error={at(`${path}/when`)}
        onChange={(when) => onChange({ when: when === "" ? undefined : when })}
      />
      <ForEachFields task={task} path={`${path}/for_each`} onChange={onChange} />
      <RepeatFields task={task} path={`${path}/repeat`} onChange={onChange} />
    </>
  );
}

function RunsAfter({ document, task, onDocument }: Pick<Props, "document" | "task" | "onDocument">) {
  const before = (document.dependencies ?? []).filter((each) => each.to === task.id).map((each) => each.from);
  const possible = document.tasks.filter(
    (each) => each.id !== task.id && (before.includes(each.id) || !closesCycle(document, each.id, task.id)),
  );
  return (
    <MultiSelect
      label="Runs after"
      description="Tasks that must finish first. Connections already imply this."
      placeholder={before.length === 0 ? "None" : undefined}
      data={possible.map((each) => ({ value: each.id, label: each.name || each.id }))}
      value={before}
      onChange={(ids) => onDocument(runAfter(document, task.id, ids))}
    />
  );
}

type FieldsProps = Pick<Props, "task" | "path" | "onChange">;

const DEFAULT_PARALLEL = 10;

function ForEachFields({ task, path, onChange }: FieldsProps) {
  const at = useIssuesAt();
  const forEach = isObject(task.for_each) ? task.for_each : null;
  const lists = inputsOf(task)
    .filter((input) => input.type === "ARRAY" && input.name)
    .map((input) => input.name);
  const set = (change: Partial<NonNullable<Task["for_each"]>>) =>
    forEach && onChange({ for_each: { ...forEach, ...change } });
  return (
    <>
      <Switch
        label="For each item of a list"
        checked={forEach !== null}
        error={forEach === null ? at(path) : undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? perItem(task) : { for_each: undefined })}
      />
      {forEach && (
        <Stack gap="xs" className={classes.part}>
          <Select
            label="List"
            description="The task runs once per item, and gets the item as this input. Its outputs become lists."
            allowDeselect={false}
            data={forEach.input && !lists.includes(forEach.input) ? [...lists, forEach.input] : lists}
            value={forEach.input || null}
            error={at(`${path}/input`) ?? at(path)}
            onChange={(input) => input && set({ input })}
          />
          <Group gap="xs" grow align="flex-start">
            <NumberInput
              label="Items at a time"
              min={1}
              max={100}
              allowDecimal={false}
              placeholder={String(DEFAULT_PARALLEL)}
              value={forEach.max_parallel ?? ""}
              error={at(`${path}/max_parallel`)}
              onChange={(value) => set({ max_parallel: value === "" ? undefined : Number(value) })}
            />
            <Select
              label="If an item fails"
              allowDeselect={false}
              data={ITEM_FAILURES}
              value={forEach.on_error ?? "fail"}
              error={at(`${path}/on_error`)}
              onChange={(value) => set({ on_error: value === "collect" ? value : undefined })}
            />
          </Group>
        </Stack>
      )}
    </>
  );
}

/** Runs a task for each item of its first list; one without lists gets one. */
function perItem(task: Task): Partial<Task> {
  const list = inputsOf(task).find((input) => input.type === "ARRAY" && input.name);
  if (list) {
    return { for_each: { input: list.name } };
  }
  const input: InputParameter = {
    name: "item",
    type: "ARRAY",
    items: { type: "STRING" },
    description: "The items, one per run",
    required: true,
    source: "human_input",
  };
  return { for_each: { input: input.name }, input_parameters: [...inputsOf(task), input] };
}

const DEFAULT_RUNS = 10;

function RepeatFields({ task, path, onChange }: FieldsProps) {
  const at = useIssuesAt();
  const repeat = isObject(task.repeat) ? task.repeat : null;
  const outputs = outputsOf(task).filter(({ name }) => name);
  const begin = () => {
    const done = outputs.find(({ type }) => type === "BOOLEAN");
    onChange({ repeat: { until: done ? written(["outputs", done.name]) : "", max: DEFAULT_RUNS } });
  };
  const set = (change: Partial<NonNullable<Task["repeat"]>>) =>
    repeat && onChange({ repeat: { ...repeat, ...change } });
  return (
    <>
      <Switch
        label="Repeat until a condition holds"
        checked={repeat !== null}
        error={repeat === null ? at(path) : undefined}
        onChange={(event) =>
          event.currentTarget.checked
            ? begin()
            : onChange({
                repeat: undefined,
                input_parameters: inputsOf(task).filter((each) => !isPrevious(each)),
              })
        }
      />
      {repeat && (
        <Stack gap="xs" className={classes.part}>
          <ConditionField
            label="Repeat until"
            field="repeat"
            required
            names={outputNames(task)}
            value={typeof repeat.until === "string" ? repeat.until : ""}
            error={at(`${path}/until`) ?? at(path)}
            onChange={(until) => set({ until })}
          />
          <NumberInput
            label="At most (runs)"
            description="After that many runs, the task fails."
            required
            min={1}
            max={1000}
            allowDecimal={false}
            value={repeat.max ?? ""}
            error={at(`${path}/max`)}
            onChange={(value) => set({ max: value === "" ? undefined : Number(value) })}
          />
          <MultiSelect
            label="Inputs from the run before"
            description="Empty in the first run."
            placeholder={inputsOf(task).some(isPrevious) ? undefined : "None"}
            data={outputs.filter(({ type }) => acceptedInputTypes(type)).map(({ name }) => name)}
            value={inputsOf(task)
              .filter(isPrevious)
              .map(({ name }) => name.slice(PREVIOUS.length))}
            onChange={(names) => onChange({ input_parameters: withPrevious(task, names) })}
          />
        </Stack>
      )}
    </>
  );
}

const isPrevious = ({ name, source }: InputParameter) =>
  source === "system_generated" && Boolean(name?.startsWith(PREVIOUS));

/** The inputs of a task, of which these get an output of the run before. */
function withPrevious(task: Task, names: readonly string[]): InputParameter[] {
  const kept = inputsOf(task).filter(
    (each) => !isPrevious(each) || names.includes(each.name.slice(PREVIOUS.length)),
  );
  const added = names
    .filter((name) => !kept.some((each) => each.name === PREVIOUS + name))
    .map((name) => {
      const type = outputsOf(task).find((each) => each.name === name)?.type ?? "STRING";
      return {
        name: PREVIOUS + name,
        type: acceptedInputTypes(type)?.[0] ?? "STRING",
        description: `The ${name} of the run before`,
        required: false,
        source: "system_generated",
      };
    });
  return [...kept, ...added];
}
