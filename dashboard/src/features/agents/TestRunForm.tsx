import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import { fieldErrors, readTaskInputs, startTestRun, useOrganizationId } from "../../api";
import { SecondaryButton, QuietButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { anyOf, useFocusOnError } from "../../components/useFocusOnError";
import { ValueInput } from "../../values/ValueInput";
import { parseValues, type RawValue, type ValueField } from "../../values/valueFields";
import { FileField, missingText } from "../../values/FileField";
import { TestFiles } from "./TestFiles";
import {
  asTyped,
  keptInputs,
  missingFields,
  NO_INPUTS,
  takesFile,
  type TestInputs,
} from "../../values/testInputs";
import type { Saving } from "./useDraftSaving";
import { useKeptValue } from "./useKeptValue";

interface Props {
  saving: Saving;
  fields: ValueField[];
  /** The task to run alone; the whole draft if absent. */
  taskId?: string;
  withMessage: boolean;
  /** Shown instead of what the message is for. */
  messageNote?: string;
  action: string;
  /** A run whose inputs of the task may be reused. */
  reusableRun?: string | null;
  onStarted: (instanceId: string) => void;
}

/** The inputs of a test run, which this browser keeps. Starting it saves the draft. */
export function TestRunForm({
  saving,
  fields,
  taskId,
  withMessage,
  messageNote,
  action,
  reusableRun = null,
  onStarted,
}: Props) {
  const orgId = useOrganizationId();
  const { id } = saving.workflow;
  const [inputs, setInputs] = useKeptValue<TestInputs>(keptInputs(id, taskId), NO_INPUTS);
  const [parseErrors, setParseErrors] = useState<Record<string, string>>({});
  const start = useMutation({
    mutationFn: async (values: Record<string, unknown>) => {
      await saving.flush();
      return startTestRun(orgId, id, {
        human_msg: !withMessage || inputs.message === "" ? null : inputs.message,
        file_urls: withMessage ? inputs.files : null,
        inputs: values,
        task_id: taskId ?? null,
      });
    },
    onSuccess: (started) => onStarted(started.workflow_instance_id),
  });
  const { at } = fieldErrors(start.error);
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, anyOf(parseErrors));
  const setValue = (name: string) => (value: RawValue) =>
    setInputs((now) => ({ ...now, values: { ...now.values, [name]: value } }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { values, errors } = parseValues(fields, inputs.values);
    for (const { name, type } of missingFields(fields, values, withMessage ? inputs.message : "")) {
      errors[name] ??= missingText(type);
    }
    setParseErrors(errors);
    if (Object.keys(errors).length === 0) {
      start.mutate(values);
    }
  };
  const paths = ["/human_msg", ...fields.map((field) => `/inputs/${field.name}`)];
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="sm">
        {withMessage && (
          <>
            <Textarea
              label="Message"
              description={messageNote ?? "Sent to the agent as human_msg"}
              autosize
              value={inputs.message}
              error={at("/human_msg")}
              onChange={({ currentTarget: { value } }) => setInputs((now) => ({ ...now, message: value }))}
            />
            <TestFiles
              files={inputs.files}
              error={inputs.files.map((_, index) => at(`/file_urls/${index}`)).find(Boolean)}
              onChange={(change) => setInputs((now) => ({ ...now, files: change(now.files) }))}
            />
          </>
        )}
        {fields.map((field) => {
          const props = {
            field,
            value: inputs.values[field.name] ?? null,
            error: parseErrors[field.name] ?? at(`/inputs/${field.name}`),
            onChange: setValue(field.name),
          };
          return takesFile(field) ? (
            <FileField key={field.name} {...props} />
          ) : (
            <ValueInput key={field.name} {...props} />
          );
        })}
        <ErrorNotice error={start.error} fieldPaths={paths} />
        <Group gap="xs">
          <Button type="submit" loading={start.isPending}>
            {action}
          </Button>
          {taskId !== undefined && reusableRun !== null && (
            <ReuseButton
              instanceId={reusableRun}
              taskId={taskId}
              onLoaded={(values) => setInputs((now) => ({ ...now, values: { ...now.values, ...values } }))}
            />
          )}
          {(inputs.message !== "" || inputs.files.length > 0 || Object.keys(inputs.values).length > 0) && (
            <QuietButton onClick={() => setInputs(() => NO_INPUTS)}>Clear</QuietButton>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface ReuseProps {
  instanceId: string;
  taskId: string;
  onLoaded: (values: Record<string, RawValue>) => void;
}

/** Fills in the inputs that the task had in the last test run. */
function ReuseButton({ instanceId, taskId, onLoaded }: ReuseProps) {
  const orgId = useOrganizationId();
  const load = useMutation({
    mutationFn: () => readTaskInputs(orgId, instanceId, taskId),
    onSuccess: ({ values }) => onLoaded(asTyped(values)),
  });
  return (
    <>
      <SecondaryButton loading={load.isPending} onClick={() => load.mutate()}>
        Use last run’s inputs
      </SecondaryButton>
      <ErrorNotice error={load.error} />
    </>
  );
}
