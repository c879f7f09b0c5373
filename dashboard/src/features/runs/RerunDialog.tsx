import { Button, Group, Modal, SegmentedControl, Select, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { ValueInput } from "../../components/ValueInput";
import { parseValues, rawOf, type RawValue } from "../../components/valueFields";
import { userInputsOf } from "../../graph/userInputs";
import type { WorkflowDocument } from "../../graph/document";
import { useRunDocument, useRunInput } from "./queries";
import { listSearch } from "./runFilters";

interface Props {
  orgId: string;
  run: Schemas["WorkflowInstance"];
  opened: boolean;
  onClose: () => void;
}

/** Runs an agent again with the input of an earlier run, which can be edited first. */
export function RerunDialog({ opened, onClose, ...props }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Run again" size="lg">
      {opened && <Loaded {...props} onClose={onClose} />}
    </Modal>
  );
}

function Loaded({ orgId, run, onClose }: Omit<Props, "opened">) {
  const input = useRunInput(orgId, run.workflow_instance_id);
  const document = useRunDocument(orgId, run);
  return (
    <QueryBoundary query={input}>
      {(started) => (
        <QueryBoundary query={document}>
          {(found) => (
            <RerunForm orgId={orgId} run={run} started={started} document={found} onClose={onClose} />
          )}
        </QueryBoundary>
      )}
    </QueryBoundary>
  );
}

interface FormProps extends Omit<Props, "opened"> {
  started: Schemas["WorkflowInstanceInputs"];
  document: WorkflowDocument;
}

function RerunForm({ orgId, run, started, document, onClose }: FormProps) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const fields = userInputsOf(document);
  const [fromTask, setFromTask] = useState<string | null>(null);
  const [version, setVersion] = useState<"same" | "latest">("same");
  const [message, setMessage] = useState(started.human_msg ?? "");
  const [typed, setTyped] = useState<Record<string, RawValue>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, rawOf(field.type, started.values[field.name])])),
  );
  const [parseErrors, setParseErrors] = useState<Record<string, string>>({});
  const rerun = useMutation({
    mutationFn: (inputs: Record<string, unknown>) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/instances/{id}/rerun", {
          params: { path: { orgId, id: run.workflow_instance_id }, query: { wait_seconds: 0 } },
          body: { from_task: fromTask, version, human_msg: message === "" ? null : message, inputs },
        }),
      ),
    // Replaces the history entry of the dialog.
    onSuccess: (next) =>
      navigate(`/organizations/${orgId}/runs/${next.workflow_instance_id}${listSearch(search)}`, {
        replace: true,
      }),
  });
  const { at } = fieldErrors(rerun.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { values, errors } = parseValues(fields, typed);
    setParseErrors(errors);
    if (Object.keys(errors).length === 0) {
      rerun.mutate(values);
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          Starts a new run with the values below; this one stays as it is. The results of tasks before the
          chosen one are reused. An emptied field keeps its value from this run.
        </Text>
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
        <SegmentedControl
          aria-label="Version"
          value={version}
          onChange={(value) => setVersion(value === "latest" ? "latest" : "same")}
          data={[
            {
              value: "same",
              label: run.workflow_version === 0 ? "Same draft" : `Version ${run.workflow_version}`,
            },
            { value: "latest", label: "Published version" },
          ]}
        />
        <Textarea
          label="Message"
          autosize
          maxRows={12}
          value={message}
          error={at("/human_msg")}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        {fields.map((field) => (
          <ValueInput
            key={field.name}
            field={{ ...field, required: false }}
            value={typed[field.name] ?? null}
            error={parseErrors[field.name] ?? at(`/inputs/${field.name}`)}
            onChange={(value) => setTyped((now) => ({ ...now, [field.name]: value }))}
          />
        ))}
        {started.file_urls.length > 0 && (
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
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rerun.isPending}>
            Run again
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
