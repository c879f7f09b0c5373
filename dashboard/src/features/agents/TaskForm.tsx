import { Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { IconTrash, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { IconButton } from "../../components/IconButton";
import { CardHeading, ErrorText } from "../../components/variants";
import {
  inputsOf,
  declaredOutputsOf,
  type Task,
  type TaskKind,
  type WorkflowDocument,
} from "../../graph/document";
import { removeTask, replaceTask } from "../../graph/documentEdits";
import { useIssuesAt } from "../../values/validation";
import { ERROR_POLICIES } from "./choices";
import { LimitFields } from "./AgentFields";
import { CONTROL_FLOW_FIELDS, ControlFlowFields, hasControlFlow } from "./ControlFlowFields";
import { FoldedSection } from "./FoldedSection";
import { InputsForm } from "./InputsForm";
import { MODEL_FIELDS, ModelFields } from "./ModelFields";
import { TaskKindFields } from "./TaskKindFields";
import { OutputsForm } from "./OutputsForm";
import { warningsOf } from "./warnings";
import classes from "./editor.module.css";

interface Props {
  document: WorkflowDocument;
  task: Task;
  onChange: (document: WorkflowDocument) => void;
  onSelect: (taskId: string | null) => void;
  /** Called when the ID of the task changes. */
  onRenamed: (taskId: string) => void;
}

/** How the instructions and the values of the inputs are used. */
const INSTRUCTION_HINTS: Record<TaskKind, string> = {
  AI: "The model gets this text and the values of the inputs.",
  Human: "The person sees this text and the values of the inputs.",
  App: "Describes the task for people. The tool gets the values of the inputs.",
  Coder: "Describes the task for people. The code gets the values of the inputs.",
};

/** All fields of one task. */
export function TaskForm({ document, task, onChange, onSelect, onRenamed }: Props) {
  const at = useIssuesAt();
  const index = document.tasks.indexOf(task);
  const path = `/tasks/${index}`;
  const set = (change: Partial<Task>) => {
    const changed = { ...task, ...change };
    onChange(replaceTask(document, task, changed));
    if (changed.id !== task.id) {
      onRenamed(changed.id);
    }
  };
  const warning = warningsOf(document).find((each) => each.path === `${path}/instructions`);
  // The tool or the code gives the inputs and outputs, so it comes first.
  const callsTool = task.kind === "App" || task.kind === "Coder";
  const kindFields = (
    <TaskKindFields document={document} task={task} path={path} onChange={set} onDocument={onChange} />
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <CardHeading>{task.kind} task</CardHeading>
        <Group gap={4} wrap="nowrap">
          <IconButton
            icon={IconTrash}
            label="Delete task"
            onClick={() => {
              onChange(removeTask(document, task.id));
              onSelect(null);
            }}
          />
          <IconButton icon={IconX} label="Close task" onClick={() => onSelect(null)} />
        </Group>
      </Group>
      {at(path) && <ErrorText>{at(path)}</ErrorText>}
      <TextInput
        label="Name"
        required
        value={task.name}
        error={at(`${path}/name`)}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TaskId
        key={task.id}
        value={task.id}
        taken={document.tasks.map((each) => each.id)}
        error={at(`${path}/id`)}
        onChange={(id) => set({ id })}
      />
      <Textarea
        label="Instructions"
        required
        autosize
        minRows={3}
        maxRows={14}
        data-path={`${path}/instructions`}
        inputWrapperOrder={["label", "input", "description", "error"]}
        description={
          warning === undefined ? (
            INSTRUCTION_HINTS[task.kind]
          ) : (
            <span className={classes.warning}>{warning.detail}</span>
          )
        }
        value={task.instructions}
        error={at(`${path}/instructions`)}
        onChange={(event) => set({ instructions: event.currentTarget.value })}
      />
      {callsTool && kindFields}
      <InputsForm
        document={document}
        task={task}
        path={`${path}/input_parameters`}
        inputs={inputsOf(task)}
        onInputs={(input_parameters) => set({ input_parameters })}
        onDocument={onChange}
      />
      <OutputsForm
        path={`${path}/expected_output`}
        outputs={declaredOutputsOf(task)}
        onOutputs={(expected_output) => set({ expected_output })}
      />
      {!callsTool && kindFields}
      {task.kind === "AI" && (
        <FoldedSection
          title="Model"
          hasValues={MODEL_FIELDS.some((field) => task[field] !== undefined && task[field] !== null)}
          paths={MODEL_FIELDS.map((field) => `${path}/${field}`)}
        >
          <ModelFields task={task} path={path} onChange={set} />
        </FoldedSection>
      )}
      {task.kind === "AI" && (
        <FoldedSection title="Limits" hasValues={Boolean(task.limits)} paths={[`${path}/limits`]}>
          <LimitFields task={task} path={path} onChange={set} />
        </FoldedSection>
      )}
      <FoldedSection
        title="Control flow"
        hasValues={hasControlFlow(document, task)}
        paths={CONTROL_FLOW_FIELDS.map((field) => `${path}/${field}`)}
      >
        <ControlFlowFields document={document} task={task} path={path} onChange={set} onDocument={onChange} />
      </FoldedSection>
      <FoldedSection
        title="Failure handling"
        hasValues={Boolean(task.error_policy)}
        paths={[`${path}/error_policy`]}
      >
        <Select
          label="On failure"
          description={
            task.kind === "Human"
              ? "Default: fail the run"
              : "Default: open a ticket if there is a rule for “A task fails”, otherwise fail the run"
          }
          placeholder="Default"
          clearable
          data={ERROR_POLICIES}
          value={task.error_policy ?? null}
          error={at(`${path}/error_policy`)}
          onChange={(value) => set({ error_policy: value as Task["error_policy"] })}
        />
      </FoldedSection>
    </Stack>
  );
}

interface IdProps {
  value: string;
  taken: string[];
  error?: string;
  onChange: (id: string) => void;
}

/** Applies a new ID on blur, because connections refer to it. */
function TaskId({ value, taken, error, onChange }: IdProps) {
  const [clash, setClash] = useState<string | null>(null);
  return (
    <TextInput
      label="ID"
      description="Lowercase letters, digits, _ and -"
      defaultValue={value}
      error={clash ? `Another task already uses the ID ${clash}` : error}
      onBlur={(event) => {
        const id = event.currentTarget.value.trim();
        const isTaken = id !== value && taken.includes(id);
        setClash(isTaken ? id : null);
        if (id !== value && !isTaken) {
          onChange(id);
        }
      }}
    />
  );
}
