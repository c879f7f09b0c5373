import {
  ActionIcon,
  Group,
  MultiSelect,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { IconTrash, IconX } from "@tabler/icons-react";
import { useState } from "react";
import {
  closesCycle,
  inputsOf,
  writtenOutputsOf,
  type Task,
  type WorkflowDocument,
} from "../../graph/document";
import { removeTask, replaceTask, runAfter } from "../../graph/edit";
import { useFaultAt } from "./faults";
import { InputsForm } from "./InputsForm";
import { KindFields } from "./KindFields";
import { OutputsForm } from "./OutputsForm";

interface Props {
  document: WorkflowDocument;
  task: Task;
  onChange: (document: WorkflowDocument) => void;
  onChoose: (taskId: string | null) => void;
  /** It is the same task as before, under another id. */
  onRenamed: (taskId: string) => void;
}

/** All fields of one task (specification 2.6). */
export function TaskForm({ document, task, onChange, onChoose, onRenamed }: Props) {
  const at = useFaultAt();
  const index = document.tasks.indexOf(task);
  const path = `/tasks/${index}`;
  const set = (change: Partial<Task>) => {
    const changed = { ...task, ...change };
    onChange(replaceTask(document, task, changed));
    if (changed.id !== task.id) {
      onRenamed(changed.id);
    }
  };
  const before = (document.dependencies ?? []).filter((each) => each.to === task.id).map((each) => each.from);
  const mayComeBefore = document.tasks.filter(
    (each) => each.id !== task.id && (before.includes(each.id) || !closesCycle(document, each.id, task.id)),
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h5">
          {task.kind} task
        </Title>
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Delete this task"
            onClick={() => {
              onChange(removeTask(document, task.id));
              onChoose(null);
            }}
          >
            <IconTrash size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Close the task"
            onClick={() => onChoose(null)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      </Group>
      {at(path) && (
        <Text size="sm" c="var(--mantine-color-error)">
          {at(path)}
        </Text>
      )}
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
        value={task.instructions}
        error={at(`${path}/instructions`)}
        onChange={(event) => set({ instructions: event.currentTarget.value })}
      />
      <KindFields task={task} path={path} onChange={set} />
      <Select
        label="When it fails"
        placeholder={task.kind === "Human" ? "Raise" : "A ticket by the Exception rule, else raise"}
        clearable
        data={[
          { value: "RAISE", label: "Raise: the run fails" },
          { value: "IGNORE", label: "Ignore: go on without outputs" },
          { value: "RETRY", label: "Retry: run it again" },
        ]}
        value={task.error_policy ?? null}
        error={at(`${path}/error_policy`)}
        onChange={(value) => set({ error_policy: value as Task["error_policy"] })}
      />
      <MultiSelect
        label="Runs after"
        description="Order alone; connections imply it too"
        placeholder={before.length === 0 ? "Nothing" : undefined}
        data={mayComeBefore.map((each) => ({ value: each.id, label: each.name || each.id }))}
        value={before}
        onChange={(ids) => onChange(runAfter(document, task.id, ids))}
      />
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
        outputs={writtenOutputsOf(task)}
        onOutputs={(expected_output) => set({ expected_output })}
      />
    </Stack>
  );
}

interface IdProps {
  value: string;
  taken: string[];
  error?: string;
  onChange: (id: string) => void;
}

/** An id names the task in connections, so it changes only as a whole, when it is written to its end. */
function TaskId({ value, taken, error, onChange }: IdProps) {
  const [clash, setClash] = useState<string | null>(null);
  return (
    <TextInput
      label="Id"
      description="Lower-case letters, digits, _ and -"
      defaultValue={value}
      error={clash ? `Another task has the id ${clash}` : error}
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
