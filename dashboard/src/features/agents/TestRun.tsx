import { Alert, Anchor, Button, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { inputsOf, type InputParameter, type WorkflowDocument } from "../../graph/document";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Status } from "../../parts/Status";
import { TypedInput } from "../../parts/TypedInput";
import { readTyped, type Typed } from "../../parts/typed";
import { Values } from "../../parts/values";
import type { Saving } from "./useSaving";

interface Props {
  orgId: string;
  document: WorkflowDocument;
  saving: Saving;
  /** The run that was started last, as it is now. */
  run: Schemas["WorkflowInstance"] | undefined;
  onStarted: (instanceId: string) => void;
}

/** Runs the draft with inputs, beside the graph, which shows how far it is. */
export function TestRun({ orgId, document, saving, run, onStarted }: Props) {
  const [message, setMessage] = useState("");
  const [typed, setTyped] = useState<Record<string, Typed>>({});
  const [unread, setUnread] = useState<Record<string, string>>({});
  const fields = asked(document);
  const start = useMutation({
    mutationFn: async (inputs: Record<string, unknown>) => {
      await saving.save.mutateAsync();
      return ask(
        api.POST("/dashboard/api/organizations/{orgId}/workflows/{id}/test-run", {
          params: { path: { orgId, id: saving.workflow.id }, query: { wait_seconds: 0 } },
          body: { human_msg: message === "" ? null : message, inputs },
        }),
      );
    },
    onSuccess: (started) => onStarted(started.workflow_instance_id),
  });
  const { at } = faultsOf(start.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { values, faults } = readTyped(fields, typed);
    setUnread(faults);
    if (Object.keys(faults).length === 0) {
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
            Saves the draft and runs it. What is left out is asked for while it runs.
          </Text>
          <Textarea
            label="Message"
            description="What starts the agent (human_msg)"
            autosize
            value={message}
            error={at("/human_msg")}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          {fields.map((field) => (
            <TypedInput
              key={field.name}
              field={{ ...field, required: false }}
              value={typed[field.name] ?? null}
              error={unread[field.name] ?? at(`/inputs/${field.name}`)}
              onChange={(value) => setTyped((now) => ({ ...now, [field.name]: value }))}
            />
          ))}
          <ErrorNotice
            error={start.error}
            shown={["/human_msg", ...fields.map((field) => `/inputs/${field.name}`)]}
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

/** The inputs that people give, each name once. */
function asked(document: WorkflowDocument) {
  const found = new Map<string, InputParameter>();
  for (const task of document.tasks) {
    for (const input of inputsOf(task)) {
      if (input.source === "human_input" && input.data_source !== "DATA_LAKE" && !found.has(input.name)) {
        found.set(input.name, input);
      }
    }
  }
  return [...found.values()].map((input) => ({ ...input, required: input.required ?? false }));
}

function Result({ orgId, run }: { orgId: string; run: Schemas["WorkflowInstance"] }) {
  const waiting = run.tasks.find((task) => task.status === "WAITING" && task.ticket_id);
  const base = `/organizations/${orgId}`;
  return (
    <Stack gap="sm" aria-live="polite">
      <Group gap="xs">
        <Status of={run.status} />
        <Anchor component={Link} size="sm" to={`${base}/runs/${run.workflow_instance_id}`}>
          Show the whole run
        </Anchor>
      </Group>
      {run.error && (
        <Alert color="red" title={run.error.error}>
          {run.error.detail}
        </Alert>
      )}
      {waiting && (
        <Text size="sm">
          “{waiting.name}” waits for{" "}
          <Anchor component={Link} inherit to={`${base}/tickets/${waiting.ticket_id}`}>
            its ticket
          </Anchor>
          .
        </Text>
      )}
      {run.output && <Values of={run.output} />}
    </Stack>
  );
}
