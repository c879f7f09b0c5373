import { Card, Checkbox, Stack } from "@mantine/core";
import { useTools } from "../../api";
import {
  isUnconnected,
  VALUE_TYPES,
  type Connection,
  type InputParameter,
  type Task,
  type WorkflowDocument,
} from "../../graph/document";
import { connectInput, newInput, replaceTask } from "../../graph/documentEdits";
import { waitingToolOf } from "../../graph/controlFlow";
import { ParameterFields } from "../../values/ParameterFields";
import { ToolInputs } from "./ToolInputs";
import { useSourceChange } from "./useSourceChange";
import { useIssuesAt } from "../../values/validation";
import { ParameterList } from "./ParameterList";
import { InputSource } from "./InputSource";
import { StructureFields } from "../../values/StructureFields";

export interface InputsProps {
  document: WorkflowDocument;
  task: Task;
  path: string;
  inputs: InputParameter[];
  onInputs: (inputs: InputParameter[]) => void;
  onDocument: (document: WorkflowDocument) => void;
}

/** The inputs of a task: the form of its tool, or cards that define them. */
export function InputsForm(props: InputsProps) {
  const { document, task, path, inputs, onInputs } = props;
  const { data: tools } = useTools();
  const tool =
    task.kind === "App" && waitingToolOf(task) === null
      ? tools?.find((each) => each.tool_id === task.tool_id)
      : undefined;
  return tool ? (
    <ToolInputs {...props} tool={tool} />
  ) : (
    <ParameterList
      title="Inputs"
      path={path}
      action="Add input"
      onAdd={() => onInputs([...inputs, newInput(document, task)])}
    >
      <InputCards {...props} shown={[...inputs.keys()]} />
    </ParameterList>
  );
}

interface CardsProps extends InputsProps {
  /** The places of the inputs to show. */
  shown: readonly number[];
}

export function InputCards({ document, task, path, inputs, shown, onInputs, onDocument }: CardsProps) {
  return shown.map((index) => {
    const input = inputs[index]!;
    return (
      <InputCard
        // Inputs have no IDs, and their names change while typing.
        key={index}
        document={document}
        task={task}
        input={input}
        number={index + 1}
        path={`${path}/${index}`}
        onChange={(changed) => onInputs(inputs.with(index, changed))}
        onRemove={() => onInputs(inputs.toSpliced(index, 1))}
        onConnect={(from) => onDocument(connectInput(document, { task: task.id, input: input.name }, from))}
        onSource={(source) => {
          const changed = inputs.with(index, { ...input, ...source });
          onDocument(
            connectInput(
              replaceTask(document, task, { ...task, input_parameters: changed }),
              { task: task.id, input: input.name },
              null,
            ),
          );
        }}
      />
    );
  });
}

interface CardProps {
  document: WorkflowDocument;
  task: Task;
  input: InputParameter;
  number: number;
  path: string;
  onChange: (input: InputParameter) => void;
  onRemove: () => void;
  onConnect: (from: Connection["from"]) => void;
  onSource: (change: Partial<InputParameter>) => void;
}

function InputCard(props: CardProps) {
  const { document, task, input, number, path, onChange, onRemove, onConnect, onSource } = props;
  const at = useIssuesAt();
  const sourceChange = useSourceChange(input);
  const set = (change: Partial<InputParameter>) => onChange({ ...input, ...change });
  /** A new type invalidates the structure and the value. */
  const setType = (type: string) =>
    onChange({
      name: input.name,
      type,
      description: input.description,
      required: input.required,
      source: input.source,
      ...(type === "ARRAY" ? { items: { type: "STRING" } } : {}),
      ...(type === "OBJECT" ? { properties: [] } : {}),
    });
  return (
    <Card withBorder padding="xs" data-path={path} data-entry>
      <Stack gap={6}>
        <ParameterFields
          label={`input ${number}`}
          parameter={input}
          types={[...VALUE_TYPES]}
          removeLabel={`Remove input ${input.name}`}
          path={path}
          at={at}
          hasOwnErrors={!isUnconnected(document, task, input)}
          onChange={({ type, ...change }) => (type === undefined ? set(change as never) : setType(type))}
          onRemove={onRemove}
        />
        <StructureFields input={input} path={path} onChange={set} />
        <InputSource
          document={document}
          task={task}
          input={input}
          path={path}
          onChange={set}
          onConnect={onConnect}
          onSource={(source, change) => onSource({ ...change, ...sourceChange(source) })}
        />
        <Checkbox
          size="xs"
          label="Required"
          checked={input.required ?? false}
          onChange={(event) => set({ required: event.currentTarget.checked })}
        />
      </Stack>
    </Card>
  );
}
