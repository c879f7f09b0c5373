import { Alert, Button, Group, JsonInput, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { ErrorNotice } from "../../components/ErrorNotice";
import { JsonBlock } from "../../components/JsonBlock";
import { formatDuration } from "../../components/Time";
import { useNow } from "../runs/useNow";

interface Props {
  orgId: string;
  artifact: Schemas["CodeArtifact"];
  /** The code in the editor; null for users who may only run saved code. */
  draft: string | null;
}

const SAMPLES: Record<string, unknown> = {
  INTEGER: 1,
  FLOAT: 1.5,
  BOOLEAN: true,
  ARRAY: [],
  OBJECT: {},
  DATETIME: "2030-01-31T12:00:00Z",
};

/** Values for the declared inputs; those of the template without a declaration. */
const sampleOf = (inputs: Schemas["CodeInput"][]) =>
  JSON.stringify(
    inputs.length === 0
      ? { name: "Ada" }
      : Object.fromEntries(inputs.map(({ name, type }) => [name, SAMPLES[type] ?? "text"])),
    null,
    2,
  );

/** Runs the code in the sandbox, outside any agent. */
export function DryRun({ orgId, artifact, draft }: Props) {
  const [text, setText] = useState(() => sampleOf(artifact.inputs));
  const [invalid, setInvalid] = useState(false);
  const [startedAt, setStartedAt] = useState(0);
  const [stopped, setStopped] = useState(false);
  const request = useRef<AbortController>(null);
  const run = useMutation({
    onMutate: () => {
      request.current = new AbortController();
      setStartedAt(Date.now());
      setStopped(false);
    },
    mutationFn: (inputs: Record<string, unknown>) =>
      draft === null
        ? unwrap(
            api.POST("/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}/dry-run", {
              params: { path: { orgId, artifactId: artifact.id } },
              body: { inputs, version: artifact.version },
              signal: request.current?.signal,
            }),
          )
        : unwrap(
            api.POST("/dashboard/api/organizations/{orgId}/code-artifacts/dry-run", {
              params: { path: { orgId } },
              body: { language: artifact.language, source: draft, inputs },
              signal: request.current?.signal,
            }),
          ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      run.mutate(JSON.parse(text || "{}") as Record<string, unknown>);
      setInvalid(false);
    } catch {
      setInvalid(true);
    }
  };
  const now = useNow(run.isPending);
  return (
    <form onSubmit={submit}>
      <Title order={2} size="h5" mb="sm">
        Dry run
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Stack gap="sm">
          <JsonInput
            label="Test values"
            description="A JSON object with a value for each input"
            autosize
            minRows={3}
            maxRows={12}
            value={text}
            error={invalid ? "Invalid JSON" : fieldErrors(run.error).at("/inputs")}
            onChange={setText}
          />
          <Group>
            <Button type="submit" variant="default" disabled={run.isPending}>
              Run
            </Button>
            {run.isPending && (
              <>
                <Button
                  variant="subtle"
                  color="gray"
                  onClick={() => {
                    setStopped(true);
                    request.current?.abort();
                  }}
                >
                  Stop
                </Button>
                <Text size="sm" c="dimmed" role="status">
                  Running, {Math.max(0, Math.floor((now - startedAt) / 1000))} s
                </Text>
              </>
            )}
          </Group>
        </Stack>
        <Stack gap="sm">
          {stopped ? (
            <Text size="sm" c="dimmed" role="status">
              Stopped. The sandbox ends the code at its time limit at the latest.
            </Text>
          ) : (
            <ErrorNotice error={run.error} fieldPaths={["/inputs"]} />
          )}
          {run.data && <DryRunOutcome of={run.data} />}
          {run.isIdle && (
            <Text size="sm" c="dimmed">
              The result and the console appear here.
            </Text>
          )}
        </Stack>
      </SimpleGrid>
    </form>
  );
}

function DryRunOutcome({ of: outcome }: { of: Schemas["CodeDryRun"] }) {
  return (
    <Stack gap="xs" aria-live="polite">
      <Text size="sm" c="dimmed">
        Took {formatDuration(outcome.duration_ms)}
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
      {outcome.result !== null && <JsonBlock value={outcome.result} label="result" />}
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
