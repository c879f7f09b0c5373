import { Select, TextInput, type OptionsFilter } from "@mantine/core";
import { useState } from "react";
import { YES_NO } from "../../components/optionsOf";
import {
  accepts,
  closesCycle,
  connectionTo,
  forEachInputOf,
  isUnconnected,
  outputsOf,
  type Connection,
  type InputParameter,
  type NamedOutput,
  type Task,
  type WorkflowDocument,
} from "../../graph/document";
import { isSystemValue, PREVIOUS } from "../../graph/controlFlow";
import { SEARCHABLE } from "../../components/searchableSelect";
import { isWaitInput } from "./WaitFields";
import { useIssuesAt } from "../../values/validation";
import { DataSetFields } from "./DataSetFields";
import { DATA_SOURCES, misfit, SOURCES } from "./sources";

interface Props {
  document: WorkflowDocument;
  task: Task;
  input: InputParameter;
  path: string;
  onChange: (change: Partial<InputParameter>) => void;
  /** Connects the input to an output. */
  onConnect: (from: Connection["from"]) => void;
  /** Takes the value from elsewhere, which ends a connection. */
  onSource: (source: string, change?: Partial<InputParameter>) => void;
}

const SYSTEM = "system_generated";
const DATA_SET = "DATA_LAKE";

/** The source of an input: an output, or another source with its fields. */
export function InputSource({ document, task, input, path, onChange, onConnect, onSource }: Props) {
  const at = useIssuesAt();
  const dataLake = input.data_source === DATA_SET;
  const isEmpty = input.value === undefined || input.value === null;
  const valueError = at(`${path}/value`) && isEmpty ? "Required" : at(`${path}/value`);
  const current = dataLake ? undefined : connectionTo(document, task, input);
  const isPrevious = task.repeat && input.name?.startsWith(PREVIOUS);
  const isUnset = isUnconnected(document, task, input) && !isPrevious && !isSystemValue(input.name ?? "");
  const others = [
    ...SOURCES.map(({ value, label }) => ({
      value,
      label:
        value !== SYSTEM
          ? label
          : isPrevious
            ? "The previous output"
            : "The system, by the name of the input",
    })),
    ...(input.type === "ARRAY" ? DATA_SOURCES.filter(({ value }) => value === DATA_SET) : []),
  ];
  return (
    <>
      <Select
        size="xs"
        label="Source"
        description={current && `An output of “${nameOfTask(document, current.from.task)}”`}
        placeholder="Choose an output or another source"
        allowDeselect={false}
        {...SEARCHABLE}
        filter={withGroups}
        nothingFoundMessage="No output or other source matches"
        data={[
          ...outputGroups(document, task, input, (source, output) => accepts(source, output, input)),
          { group: "Other sources", items: others },
        ]}
        value={current ? keyOf(current.from) : dataLake ? DATA_SET : isUnset ? null : input.source}
        error={at(`${path}/source`) ?? at(`${path}/data_source`) ?? (isUnset ? at(path) : undefined)}
        onChange={(chosen) => {
          if (chosen?.startsWith("[")) {
            onConnect(outputOf(chosen));
          } else if (chosen === DATA_SET) {
            onSource(SYSTEM, dataSource(DATA_SET));
          } else if (chosen) {
            onSource(chosen, dataLake ? dataSource(undefined) : {});
          }
        }}
      />
      {input.source === "task_config" && !dataLake && !isWaitInput(task, input) && (
        <FixedValue
          input={input}
          path={`${path}/value`}
          error={valueError}
          onChange={(value) => onChange({ value })}
        />
      )}
      {dataLake && <DataSetFields task={task} input={input} path={path} onChange={onChange} />}
    </>
  );
}

/** Changing the data source clears the fields of the previous one. */
export function dataSource(data_source: string | undefined): Partial<InputParameter> {
  return { data_source, data_lake_id: undefined, filter: undefined, columns: undefined, limit: undefined };
}

export type OutputTest = (source: Task, output: NamedOutput) => boolean;

const keyOf = ({ task, output }: Connection["from"]) => JSON.stringify([task, output]);

function outputOf(key: string): Connection["from"] {
  const [task, output] = JSON.parse(key) as [string, string];
  return { task, output };
}

const nameOf = (task: Task) => task.name || task.id;

function nameOfTask(document: WorkflowDocument, id: string) {
  const task = document.tasks.find((each) => each.id === id);
  return task ? nameOf(task) : id;
}

/** The outputs of earlier tasks, by task. Those that the input doesn’t take say why. */
function outputGroups(document: WorkflowDocument, task: Task, input: InputParameter, isFitting: OutputTest) {
  const before = (document.connections ?? [])
    .filter(({ to }) => to.task === task.id)
    .map(({ from }) => from.task);
  return document.tasks
    .filter(
      (each) => each.id !== task.id && (before.includes(each.id) || !closesCycle(document, each.id, task.id)),
    )
    .map((each, _, tasks) => ({
      // Groups of one name would be one group.
      group: tasks.some((other) => other !== each && nameOf(other) === nameOf(each))
        ? `${nameOf(each)} (${each.id})`
        : nameOf(each),
      items: outputsOf(each)
        .map((output) => {
          const isMany = forEachInputOf(each) !== null;
          const fits = isFitting(each, output);
          const label = `${output.name} (${isMany ? "ARRAY of " : ""}${output.type})`;
          return {
            value: keyOf({ task: each.id, output: output.name }),
            label: fits ? label : `${label}: ${misfit(output.type, isMany, input.type)}`,
            disabled: !fits,
          };
        })
        .toSorted((one, other) => Number(one.disabled) - Number(other.disabled)),
    }))
    .filter((each) => each.items.length > 0);
}

/** Finds outputs by the names of their tasks, too. */
const withGroups: OptionsFilter = ({ options, search }) => {
  const text = search.trim().toLowerCase();
  const matches = (words: string) => words.toLowerCase().includes(text);
  return options.flatMap((option): typeof options => {
    if (!("group" in option)) {
      return matches(option.label) ? [option] : [];
    }
    const isGroup = typeof option.group === "string" && matches(option.group);
    const items = isGroup ? option.items : option.items.filter(({ label }) => matches(label));
    return items.length > 0 ? [{ ...option, items }] : [];
  });
};

interface PickerProps extends Pick<Props, "document" | "task" | "input"> {
  label: string;
  description?: string;
  error: string | undefined;
  required?: boolean;
  placeholder?: string;
  fits: OutputTest;
  onConnect: (from: Connection["from"] | null) => void;
}

/** Connects an input of a tool. */
export function ConnectionPicker({ document, task, input, fits, onConnect, ...field }: PickerProps) {
  const current = connectionTo(document, task, input);
  return (
    <Select
      allowDeselect={false}
      placeholder={
        task.repeat && input.name?.startsWith(PREVIOUS)
          ? "Not connected: previous output"
          : "Not connected: system value"
      }
      {...field}
      clearable
      {...SEARCHABLE}
      filter={withGroups}
      nothingFoundMessage="No earlier task has such an output"
      data={outputGroups(document, task, input, fits)}
      value={current ? keyOf(current.from) : null}
      onChange={(chosen) => onConnect(chosen ? outputOf(chosen) : null)}
    />
  );
}

interface FixedProps {
  input: InputParameter;
  path: string;
  error?: string;
  onChange: (value: unknown) => void;
}

/** Numbers stay text, which the server parses. Lists and objects are JSON, applied once it is complete. */
function FixedValue({ input, path, error, onChange }: FixedProps) {
  const isJson = input.type === "ARRAY" || input.type === "OBJECT";
  // Show the typed text only while the document still has the value it belongs to; undo, another type or another input
  // replace it.
  const [typed, setTyped] = useState<{ text: string; value: unknown; invalid: boolean } | null>(null);
  const current = typed && JSON.stringify(typed.value) === JSON.stringify(input.value) ? typed : null;
  if (input.type === "BOOLEAN") {
    return (
      <Select
        size="xs"
        label="Value"
        data-path={path}
        clearable
        data={YES_NO}
        value={input.value === undefined || input.value === null ? null : String(input.value)}
        error={error}
        onChange={(value) => onChange(value === null ? undefined : value === "true")}
      />
    );
  }
  const edit = (next: string) => {
    let value: unknown = next === "" ? undefined : next;
    if (isJson && next !== "") {
      try {
        value = JSON.parse(next);
      } catch {
        setTyped({ text: next, value: input.value, invalid: true });
        return;
      }
    }
    setTyped({ text: next, value, invalid: false });
    onChange(value);
  };
  return (
    <TextInput
      size="xs"
      label={isJson ? "Value (JSON)" : "Value"}
      data-path={path}
      value={current?.text ?? written(input.value)}
      error={current?.invalid ? "Invalid JSON" : error}
      onChange={(event) => edit(event.currentTarget.value)}
    />
  );
}

function written(value: unknown): string {
  return value === undefined || value === null
    ? ""
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}
