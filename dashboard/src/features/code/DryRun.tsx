import { Alert, Button, Group, JsonInput, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Json } from "../../parts/Json";
import { duration } from "../../parts/Time";

interface Props {
  orgId: string;
  artifact: Schemas["CodeArtifact"];
  /** The code as it stands in the editor, saved or not; null for who may run only what is saved. */
  draft: string | null;
}

/** Runs the code in the sandbox, without an agent around it. */
export function DryRun({ orgId, artifact, draft }: Props) {
  const [text, setText] = useState('{ "name": "Ada" }');
  const [unread, setUnread] = useState(false);
  const run = useMutation({
    mutationFn: (inputs: Record<string, unknown>) =>
      draft === null
        ? ask(
            api.POST("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}/dry-run", {
              params: { path: { orgId, artifactId: artifact.id } },
              body: { inputs, version: artifact.version },
            }),
          )
        : ask(
            api.POST("/dashboard/api/organizations/{orgId}/code-artifacts/dry-run", {
              params: { path: { orgId } },
              body: { language: artifact.language, source: draft, inputs },
            }),
          ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      run.mutate(JSON.parse(text || "{}") as Record<string, unknown>);
      setUnread(false);
    } catch {
      setUnread(true);
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Title order={2} size="h5">
          Dry run
        </Title>
        <JsonInput
          label="Inputs"
          description="Values by name, as JSON"
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          error={unread ? "Not JSON" : faultsOf(run.error).at("/inputs")}
          onChange={setText}
        />
        <Group>
          <Button type="submit" variant="default" loading={run.isPending}>
            Run
          </Button>
        </Group>
        <ErrorNotice error={run.error} shown={["/inputs"]} />
        {run.data && <Outcome of={run.data} />}
      </Stack>
    </form>
  );
}

function Outcome({ of: outcome }: { of: Schemas["CodeDryRun"] }) {
  return (
    <Stack gap="xs" aria-live="polite">
      <Text size="sm" c="dimmed">
        Took {duration(outcome.duration_ms)}
      </Text>
      {outcome.error && (
        <Alert
          color="red"
          title={`${outcome.error.error}${outcome.error.line === null ? "" : `, line ${outcome.error.line}`}`}
        >
          <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {outcome.error.detail}
          </Text>
        </Alert>
      )}
      {outcome.result !== null && <Json value={outcome.result} label="result" />}
      {outcome.console && (
        <>
          <Text size="sm" fw={600}>
            Console
          </Text>
          <pre className="code" tabIndex={0} aria-label="Console output">
            {outcome.console}
          </pre>
        </>
      )}
    </Stack>
  );
}
