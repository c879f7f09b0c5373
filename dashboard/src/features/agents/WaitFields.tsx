import { Input, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { optionsOf } from "../../components/optionsOf";
import { DimmedXs } from "../../components/variants";
import { waitInput, waitingToolOf, type WaitMode } from "../../graph/controlFlow";
import { inputsOf, type InputParameter, type Task, type WorkflowDocument } from "../../graph/document";
import { DurationField } from "./DurationField";
import { useIssuesAt } from "../../values/validation";

interface Props {
  document: WorkflowDocument;
  task: Task;
  path: string;
  onDocument: (document: WorkflowDocument) => void;
}

const MODES = optionsOf<WaitMode>({ seconds: "For a duration", until: "Until a time" });

const EXPIRY = "expires_in_seconds";
const DEFAULT_EXPIRY_SECONDS = 7 * 86_400;

/** Whether the form of the waiting tool has the value of this input. */
export const isWaitInput = (task: Task, { name }: InputParameter): boolean =>
  waitingToolOf(task) !== null && (name === EXPIRY || MODES.some(({ value }) => value === name));

/** How a task with one of the waiting tools waits. */
export function WaitFields(props: Props) {
  switch (waitingToolOf(props.task)) {
    case "event.wait":
      return (
        <Stack gap={6} mt="xs">
          <WaitValue {...props} name={EXPIRY} />
          <DimmedXs>
            The run page shows the URL to post the event to. Declare the members of the event as outputs.
          </DimmedXs>
        </Stack>
      );
    case "time.wait":
      return <TimeFields {...props} />;
    default:
      return null;
  }
}

function TimeFields(props: Props) {
  const { document, task, onDocument } = props;
  const names = inputsOf(task).map(({ name }) => name);
  const mode = names.includes("until") && !names.includes("seconds") ? "until" : "seconds";
  return (
    <Stack gap={6} mt="xs">
      <Input.Wrapper label="Wait" labelElement="div">
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Wait"
          data={MODES}
          value={mode}
          onChange={(next) => onDocument(waitingFor(document, task, next))}
        />
      </Input.Wrapper>
      <WaitValue {...props} name={mode} />
    </Stack>
  );
}

/** The fixed value of an input of the tool. */
function WaitValue({ document, task, path, name, onDocument }: Props & { name: string }) {
  const at = useIssuesAt();
  const inputs = inputsOf(task);
  const index = inputs.findIndex((each) => each.name === name);
  const input = inputs[index];
  if (!input) {
    return null;
  }
  if (input.source !== "task_config") {
    return <DimmedXs>The input {name} below sets the time.</DimmedXs>;
  }
  const valuePath = `${path}/input_parameters/${index}/value`;
  const error = at(valuePath);
  const isEmpty = input.value === undefined || input.value === null;
  const common = { required: input.required ?? false, error: error && isEmpty ? "Required" : error };
  const set = (value: unknown) =>
    onDocument(
      withInputs(document, task, inputs.with(index, { ...input, value: value as InputParameter["value"] })),
    );
  if (name === "until") {
    return (
      <TextInput
        {...common}
        data-path={valuePath}
        label="Time"
        description="With a time zone, such as 2030-01-31T09:30:00Z"
        value={isEmpty ? "" : String(input.value)}
        onChange={(event) => set(event.currentTarget.value || undefined)}
      />
    );
  }
  return (
    <div data-path={valuePath}>
      <DurationField
        {...common}
        label={name === EXPIRY ? "Expires after" : "Duration"}
        value={input.value}
        placeholder={name === EXPIRY ? DEFAULT_EXPIRY_SECONDS : undefined}
        onChange={set}
      />
    </div>
  );
}

const withInputs = (document: WorkflowDocument, task: Task, inputs: InputParameter[]): WorkflowDocument => ({
  ...document,
  tasks: document.tasks.map((each) => (each === task ? { ...task, input_parameters: inputs } : each)),
});

/** Replaces the input for the other mode, and its connection; the tool takes one of the two. */
function waitingFor(document: WorkflowDocument, task: Task, mode: WaitMode): WorkflowDocument {
  const isOld = (name: string) => MODES.some(({ value }) => value === name && value !== mode);
  const kept = inputsOf(task).filter(({ name }) => !isOld(name));
  const inputs = kept.some(({ name }) => name === mode) ? kept : [...kept, waitInput(mode)];
  return {
    ...withInputs(document, task, inputs),
    connections: (document.connections ?? []).filter(({ to }) => to.task !== task.id || !isOld(to.input)),
  };
}
