import { Alert, Anchor, Button, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import type { WorkflowDocument } from "../../graph/document";
import { userInputsOf } from "../../graph/userInputs";
import { ErrorNotice } from "../../components/ErrorNotice";
import { StatusLabel } from "../../components/StatusLabel";
import { ValueInput } from "../../components/ValueInput";
import { parseValues, type RawValue } from "../../components/valueFields";
import { ValueList } from "../../components/ValueList";
import type { Saving } from "./useDraftSaving";

interface Props {
  orgId: string;
  document: WorkflowDocument;
  saving: Saving;
  /** The latest test run. */
  run: Schemas["WorkflowInstance"] | undefined;
  onStarted: (instanceId: string) => void;
}

/** Starts test runs of the draft and shows the result; the graph shows the progress. */
export function TestRun({ orgId, document, saving, run, onStarted }: Props) {
  const [message, setMessage] = useState("");
  const [typed, setTyped] = useState<Record<string, RawValue>>({});
  const [parseErrors, setParseErrors] = useState<Record<string, string>>({});
  const fields = userInputsOf(document);
  const start = useMutation({
    mutationFn: async (inputs: Record<string, unknown>) => {
      await saving.save.mutateAsync();
      return unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/workflows/{id}/test-run", {
          params: { path: { orgId, id: saving.workflow.id }, query: { wait_seconds: 0 } },
          body: { human_msg: message === "" ? null : message, inputs },
        }),
      );
    },
    onSuccess: (started) => onStarted(started.workflow_instance_id),
  });
  const { at } = fieldErrors(start.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { values, errors } = parseValues(fields, typed);
    setParseErrors(errors);
    if (Object.keys(errors).length === 0) {
      start.mutate(values);
    }
  };
  return (
    <Stack>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Title order={2} size="h5">
            Test run
          </Title>
          <Text size="xs" c="dimmed">
            Saves the draft and runs it. You’ll be asked for any missing inputs during the run.
          </Text>
          <Textarea
            label="Message"
            description="Sent to the agent as human_msg"
            autosize
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
          <ErrorNotice
            error={start.error}
            fieldPaths={["/human_msg", ...fields.map((field) => `/inputs/${field.name}`)]}
          />
          <Group>
            <Button type="submit" loading={start.isPending}>
              Run
            </Button>
          </Group>
        </Stack>
      </form>
      {run && <Result orgId={orgId} run={run} />}
    </Stack>
  );
}

function Result({ orgId, run }: { orgId: string; run: Schemas["WorkflowInstance"] }) {
  const waiting = run.tasks.find((task) => task.status === "WAITING" && task.ticket_id);
  const base = `/organizations/${orgId}`;
  return (
    <Stack gap="sm" aria-live="polite">
      <Group gap="xs">
        <StatusLabel status={run.status} />
        <Anchor component={Link} size="sm" to={`${base}/runs/${run.workflow_instance_id}`}>
          Open run
        </Anchor>
      </Group>
      {run.error && (
        <Alert color="red" title={run.error.error}>
          {run.error.detail}
        </Alert>
      )}
      {waiting && (
        <Text size="sm">
          “{waiting.name}” is waiting for someone to complete{" "}
          <Anchor component={Link} inherit to={`${base}/tickets/${waiting.ticket_id}`}>
            its ticket
          </Anchor>
          .
        </Text>
      )}
      {run.output && <ValueList values={run.output} />}
    </Stack>
  );
}
