import { Input, Select, Stack } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../api";
import { memberLabel } from "../../components/memberLabel";
import { DimmedXs, Dimmed } from "../../components/variants";
import { isSystemValue } from "../../graph/controlFlow";
import type { RawValue } from "../../values/valueFields";
import { isUnconnected, outputsOf, type InputParameter, type WorkflowDocument } from "../../graph/document";
import { connectInput, newInput } from "../../graph/documentEdits";
import { ArgumentInput } from "../../values/ArgumentInput";
import { ANY, TEXT_OR_LIST } from "../../values/schemaFields";
import { DataSetFields } from "./DataSetFields";
import { InputCards, type InputsProps } from "./InputsForm";
import { ConnectionPicker, dataSource } from "./InputSource";
import { ParameterList } from "./ParameterList";
import {
  acceptsOutput,
  asFormat,
  changeOf,
  isJson,
  rawOfInput,
  toolFormOf,
  typeFor,
  withInput,
  type ToolParameter,
} from "./toolInputs";
import { SOURCES } from "./sources";
import { useSourceChange } from "./useSourceChange";
import { useIssuesAt } from "../../values/validation";
import classes from "./editor.module.css";

interface Props extends InputsProps {
  tool: Schemas["Tool"];
}

/** The parameters of the chosen tool, as on its page, and further inputs if the tool accepts any. */
export function ToolInputs({ tool, ...props }: Props) {
  const { document, task, path, inputs, onInputs, onDocument } = props;
  const { parameters, others, closed } = toolFormOf(tool, task);
  return (
    <ParameterList
      title="Inputs"
      path={path}
      action={closed ? undefined : "Add input"}
      onAdd={() => onInputs([...inputs, newInput(document, task)])}
    >
      {parameters.length + others.length === 0 && (
        <DimmedXs>{closed ? "This tool has no parameters." : "This tool declares no parameters."}</DimmedXs>
      )}
      <Stack gap="md">
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.field.name}
            document={document}
            task={task}
            parameter={parameter}
            path={`${path}/${parameter.index}`}
            onDocument={onDocument}
          />
        ))}
      </Stack>
      <InputCards {...props} shown={others} />
    </ParameterList>
  );
}

interface FieldProps extends Pick<Props, "document" | "task" | "path" | "onDocument"> {
  parameter: ToolParameter;
}

const DATA_SET = "DATA_LAKE";

const sourcesOf = ({ name, type }: InputParameter) => [
  ...SOURCES.map((each) =>
    each.value === "system_generated" && !isSystemValue(name) ? { ...each, label: "An earlier task" } : each,
  ),
  ...(type === "ARRAY" ? [{ value: DATA_SET, label: "Rows of a data set" }] : []),
];

/** A parameter of the tool: its source, and the value or the output that it gets. */
function ParameterField({ document, task, parameter, path, onDocument }: FieldProps) {
  const at = useIssuesAt();
  const { field, input } = parameter;
  const label = memberLabel(field.name);
  const set = (change: Partial<InputParameter>) =>
    onDocument(withInput(document, task, { ...input, ...change }));
  const isDataSet = input.data_source === DATA_SET;
  const ofInput =
    at(path) ??
    at(`${path}/source`) ??
    at(`${path}/type`) ??
    at(`${path}/items`) ??
    at(`${path}/items/type`) ??
    at(`${path}/items/properties`);
  const sourceChange = useSourceChange(input);
  const heading = { label, description: field.description, required: field.required };
  return (
    <div className={classes.parameter} data-path={path}>
      {isDataSet ? (
        <Input.Wrapper {...heading} labelElement="div" error={ofInput}>
          <DataSetFields task={task} input={input} path={path} onChange={set} />
        </Input.Wrapper>
      ) : input.source === "system_generated" ? (
        <ConnectionPicker
          {...heading}
          document={document}
          task={task}
          input={input}
          fits={(source, output) => acceptsOutput(parameter, source, output)}
          {...(isSystemValue(input.name) ? {} : { placeholder: "Choose an output" })}
          error={isUnconnected(document, task, input) ? ofInput : undefined}
          onConnect={(from) => onDocument(connected(document, task, parameter, from))}
        />
      ) : input.source === "task_config" ? (
        <ParameterValue
          parameter={parameter}
          error={at(`${path}/value`)}
          otherError={ofInput}
          onChange={set}
        />
      ) : (
        <Input.Wrapper {...heading} labelElement="div" error={ofInput}>
          <Dimmed mt={4}>Asked for when a run starts</Dimmed>
        </Input.Wrapper>
      )}
      <Select
        className={classes.source}
        size="xs"
        variant="unstyled"
        aria-label={`Source of ${label}`}
        allowDeselect={false}
        comboboxProps={{ width: 210, position: "bottom-end" }}
        data={sourcesOf(input)}
        value={isDataSet ? DATA_SET : input.source}
        onChange={(source) =>
          source === DATA_SET
            ? set({ ...dataSource(DATA_SET), value: undefined })
            : source && set({ ...(isDataSet ? dataSource(undefined) : {}), ...sourceChange(source) })
        }
      />
    </div>
  );
}

/** Connects the input. One that accepts anything gets the type of the output. */
function connected(
  document: WorkflowDocument,
  task: Props["task"],
  { field, input }: ToolParameter,
  from: { task: string; output: string } | null,
): WorkflowDocument {
  const source = document.tasks.find(({ id }) => id === from?.task);
  const output = source && outputsOf(source).find(({ name }) => name === from?.output);
  const typed =
    (field.type === ANY || field.type === TEXT_OR_LIST) && source && output
      ? withInput(document, task, { ...input, ...typeFor(source, output) })
      : document;
  return connectInput(typed, { task: task.id, input: input.name }, from);
}

interface ValueProps {
  parameter: ToolParameter;
  error: string | undefined;
  /** An error of the input itself. */
  otherError: string | undefined;
  onChange: (change: Partial<InputParameter>) => void;
}

/** A fixed value. Lists and objects are applied as soon as they are complete. */
function ParameterValue({ parameter: { field, input }, error, otherError, onChange }: ValueProps) {
  // The typed text is shown only while the document still has the value it belongs to, so that undo replaces it.
  const [typed, setTyped] = useState<{ raw: RawValue; value: unknown; error?: string } | null>(null);
  const current = typed && JSON.stringify(typed.value) === JSON.stringify(input.value) ? typed : null;
  const isEmpty = input.value === undefined || input.value === null;
  return (
    <ArgumentInput
      field={field}
      value={current ? current.raw : rawOfInput(field, input)}
      error={current?.error ?? (error !== undefined && isEmpty ? "Required" : (error ?? otherError))}
      isJson={isJson(input)}
      onJson={(json) => {
        setTyped(null);
        onChange(asFormat(json));
      }}
      onChange={(raw) => {
        const change = changeOf(field, input, raw);
        if ("error" in change) {
          setTyped({ raw, value: input.value, error: change.error });
        } else {
          setTyped({ raw, value: change.value });
          onChange(change);
        }
      }}
    />
  );
}
