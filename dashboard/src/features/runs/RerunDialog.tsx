import { Button, Group, SegmentedControl, Select, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import { useLocation } from "react-router";
import {
  fieldErrors,
  startRerun,
  useOrganizationId,
  usePublishedVersion,
  useRunInput,
  type Schemas,
} from "../../api";
import { Dimmed, SecondaryButton } from "../../components/variants";
import { EntryModal } from "../../components/EntryModal";
import { ErrorNotice } from "../../components/ErrorNotice";
import { useGoTo } from "../../components/PageLink";
import { QueryBoundary } from "../../components/QueryBoundary";
import { useFocusOnError } from "../../components/useFocusOnError";
import { ValueInput } from "../../values/ValueInput";
import { rawOf, type RawValue, type ValueField } from "../../values/valueFields";
import type { WorkflowDocument } from "../../graph/document";
import { isFilledByMessage, useRunDocument } from "./queries";
import { rerunInputs, reusedTasks, suggestedStart, typedInputs, versionChoices } from "./rerun";
import { listSearch } from "./runFilters";

interface Props {
  run: Schemas["WorkflowInstance"];
  /** The task that the page shows. */
  selected: string | undefined;
  opened: boolean;
  onClose: () => void;
}

/** Runs an agent again with the input of an earlier run, which can be edited first. */
export function RerunDialog({ opened, onClose, ...props }: Props) {
  return (
    <EntryModal opened={opened} onClose={onClose} title="Run again" size="lg">
      {opened && <Loaded {...props} onClose={onClose} />}
    </EntryModal>
  );
}

function Loaded(props: Omit<Props, "opened">) {
  const { run } = props;
  const input = useRunInput(run.workflow_instance_id);
  const document = useRunDocument(run);
  return (
    <QueryBoundary query={input}>
      {(started) => (
        <QueryBoundary query={document}>
          {(found) => <RerunForm {...props} started={started} document={found} />}
        </QueryBoundary>
      )}
    </QueryBoundary>
  );
}

interface FormProps extends Omit<Props, "opened"> {
  started: Schemas["WorkflowInstanceInputs"];
  document: WorkflowDocument;
}

function RerunForm({ run, selected, started, document, onClose }: FormProps) {
  const orgId = useOrganizationId();
  const goTo = useGoTo();
  const { search } = useLocation();
  const [fromTask, setFromTask] = useState(() => suggestedStart(document, run, selected));
  const [version, setVersion] = useState<"same" | "latest">("same");
  // Another version may run a task again that this one reuses.
  const reused = reusedTasks(document, run.tasks, version === "same" ? fromTask : null);
  const { fields, unused, usesMessage, needsMessage, usesFiles } = rerunInputs(document, started, reused);
  const [message, setMessage] = useState(started.human_msg ?? "");
  // Only what is typed is sent: the service keeps the other values, and the message keeps the input that it fills.
  const [typed, setTyped] = useState<Record<string, RawValue>>({});
  const shownValue = ({ name, type }: ValueField): RawValue =>
    name in typed
      ? typed[name]!
      : isFilledByMessage(started, name)
        ? message
        : rawOf(type, started.used_values[name]);
  const [invalid, setInvalid] = useState<{ message?: string; inputs: Record<string, string> } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, invalid);
  const rerun = useMutation({
    mutationFn: (inputs: Record<string, unknown>) =>
      startRerun(orgId, run.workflow_instance_id, {
        from_task: fromTask,
        version,
        // Null keeps the message of the run.
        human_msg: usesMessage && message !== started.human_msg ? message : null,
        inputs,
      }),
    // Replaces the history entry of the dialog.
    onSuccess: (next) =>
      goTo(`runs/${next.workflow_instance_id}${listSearch(search)}`, {
        replace: true,
      }),
  });
  const { data: published } = usePublishedVersion(run.workflow_id);
  const versions = versionChoices(run.workflow_version, published);
  const { at } = fieldErrors(rerun.error);
  const withoutEffect = [
    ...(!usesMessage && started.human_msg !== null ? ["Message"] : []),
    ...(!usesFiles && started.file_urls.length > 0 ? ["Files"] : []),
    ...unused,
  ];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { values, errors } = typedInputs(fields, typed, started);
    const missing = needsMessage && message.trim() === "" ? "Enter a message." : undefined;
    if (missing !== undefined || Object.keys(errors).length > 0) {
      setInvalid({ message: missing, inputs: errors });
    } else {
      setInvalid(null);
      rerun.mutate(values);
    }
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <Dimmed>
          Starts a new run with the values below; this one stays as it is. The results of tasks before the
          chosen one are reused.
        </Dimmed>
        <Select
          label="Start from"
          placeholder="The beginning"
          clearable
          data={run.tasks.map((task) => ({ value: task.id, label: task.name }))}
          value={fromTask}
          error={at("/from_task")}
          onChange={setFromTask}
          data-autofocus
        />
        <VersionChoice versions={versions} value={version} onChange={setVersion} />
        {usesMessage && (
          <Textarea
            label="Message"
            required={needsMessage}
            autosize
            maxRows={12}
            value={message}
            error={invalid?.message ?? at("/human_msg")}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
        )}
        {fields.map((field) => (
          <ValueInput
            key={field.name}
            // An input that this run lacks may stay empty: the new one asks for it, too.
            field={{ ...field, required: field.required && field.name in started.used_values }}
            value={shownValue(field)}
            error={invalid?.inputs[field.name] ?? at(`/inputs/${field.name}`)}
            onChange={(value) => setTyped((now) => ({ ...now, [field.name]: value }))}
          />
        ))}
        {withoutEffect.length > 0 && (
          <Dimmed>
            Only reused tasks have these inputs, so they keep their values: {withoutEffect.join(", ")}.
          </Dimmed>
        )}
        {usesFiles && started.file_urls.length > 0 && (
          <Text size="sm">
            {started.file_urls.length === 1 ? "1 file is" : `${started.file_urls.length} files are`} sent
            again.
          </Text>
        )}
        <ErrorNotice
          error={rerun.error}
          fieldPaths={["/from_task", "/human_msg", ...fields.map((field) => `/inputs/${field.name}`)]}
        />
        <Group justify="flex-end">
          <SecondaryButton onClick={onClose}>Cancel</SecondaryButton>
          <Button type="submit" loading={rerun.isPending}>
            Run again
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface VersionProps {
  versions: ReturnType<typeof versionChoices>;
  value: string;
  onChange: (version: "same" | "latest") => void;
}

function VersionChoice({ versions, value, onChange }: VersionProps) {
  return versions.length === 1 ? (
    <Text size="sm">{versions[0]!.label}</Text>
  ) : (
    <SegmentedControl
      aria-label="Version"
      value={value}
      onChange={(version) => onChange(version === "latest" ? "latest" : "same")}
      data={versions}
    />
  );
}
