import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import {
  acceptedInputTypes,
  accepts,
  closesCycle,
  connectionTo,
  forEachInputOf,
  isUnconnected,
  outputsOf,
  type Connection,
  type InputParameter,
  type Task,
  type WorkflowDocument,
} from "../../graph/document";
import { PREVIOUS } from "../../graph/controlFlow";
import { isWaitInput } from "./WaitFields";
import { useIssuesAt } from "./validation";
import { DataSetFields } from "./DataSetFields";

export const SOURCES = [
  { value: "system_generated", label: "Another task or the system" },
  { value: "human_input", label: "Whoever starts the run" },
  { value: "task_config", label: "A fixed value" },
];

interface Props {
  document: WorkflowDocument;
  task: Task;
  input: InputParameter;
  path: string;
  onChange: (change: Partial<InputParameter>) => void;
  onConnect: (from: Connection["from"] | null) => void;
}

/** The source of an input, with the fields of that source. */
export function InputSource({ document, task, input, path, onChange, onConnect }: Props) {
  const at = useIssuesAt();
  const dataLake = input.data_source === "DATA_LAKE";
  const isEmpty = input.value === undefined || input.value === null;
  const valueError = at(`${path}/value`) && isEmpty ? "Required" : at(`${path}/value`);
  return (
    <>
      <Select
        size="xs"
        label="Source"
        allowDeselect={false}
        data={SOURCES}
        value={input.source}
        error={at(`${path}/source`)}
        onChange={(source) => source && onChange({ source, value: undefined })}
      />
      {input.source === "system_generated" && !dataLake && (
        <ConnectionPicker
          document={document}
          task={task}
          input={input}
          error={isUnconnected(document, task, input) ? at(path) : undefined}
          onConnect={onConnect}
        />
      )}
      {input.source === "task_config" && !dataLake && !isWaitInput(task, input) && (
        <FixedValue
          input={input}
          path={`${path}/value`}
          error={valueError}
          onChange={(value) => onChange({ value })}
        />
      )}
      {input.type === "ARRAY" && (
        <Select
          size="xs"
          label="Data source"
          allowDeselect={false}
          data={[
            { value: "MEMORY", label: "Memory" },
            { value: "DATA_LAKE", label: "Rows of a data set" },
          ]}
          value={input.data_source ?? "MEMORY"}
          error={at(`${path}/data_source`)}
          onChange={(data_source) => data_source && onChange(dataSource(data_source))}
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

interface PickerProps extends Pick<Props, "document" | "task" | "input" | "onConnect"> {
  error: string | undefined;
  label?: string;
  description?: string;
  required?: boolean;
  size?: "xs" | "sm";
  placeholder?: string;
  /** Whether the input takes the type of the output. */
  acceptsAny?: boolean;
}

export function ConnectionPicker({ document, task, input, acceptsAny, onConnect, ...field }: PickerProps) {
  const current = connectionTo(document, task, input);
  const key = (taskId: string, output: string) => JSON.stringify([taskId, output]);
  const groups = document.tasks
    .filter(
      (each) =>
        each.id !== task.id && (each.id === current?.from.task || !closesCycle(document, each.id, task.id)),
    )
    .map((each, _, tasks) => ({
      // Groups of one name would be one group.
      group: tasks.some((other) => other !== each && nameOf(other) === nameOf(each))
        ? `${nameOf(each)} (${each.id})`
        : nameOf(each),
      items: outputsOf(each)
        .filter((output) =>
          acceptsAny ? acceptedInputTypes(output.type) !== null : accepts(each, output, input),
        )
        .map((output) => ({
          value: key(each.id, output.name),
          label: `${output.name} (${forEachInputOf(each) === null ? "" : "ARRAY of "}${output.type})`,
        })),
    }))
    .filter((each) => each.items.length > 0);
  return (
    <Select
      size="xs"
      label="Connected to"
      allowDeselect={false}
      placeholder={
        task.repeat && input.name?.startsWith(PREVIOUS)
          ? "Not connected: previous output"
          : "Not connected: system value"
      }
      {...field}
      clearable
      searchable
      nothingFoundMessage={`No earlier task has a compatible ${input.type} output`}
      data={groups}
      value={current ? key(current.from.task, current.from.output) : null}
      onChange={(chosen) => {
        const [from, output] = chosen ? (JSON.parse(chosen) as [string, string]) : [];
        onConnect(from !== undefined && output !== undefined ? { task: from, output } : null);
      }}
    />
  );
}

const nameOf = (task: Task) => task.name || task.id;

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
        data={[
          { value: "true", label: "Yes" },
          { value: "false", label: "No" },
        ]}
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
