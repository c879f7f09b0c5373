import { Alert, Button, Group, JsonInput, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import type { FormEvent } from "react";
import type { Schemas } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { ErrorNotice } from "../../components/ErrorNotice";
import { JsonBlock } from "../../components/JsonBlock";
import { useShortcutHelp, type ShortcutGroup } from "../../components/shortcuts";
import { formatDuration } from "../../components/Time";
import { useNow } from "../runs/useNow";
import { isOutdated, type DryRunCode, type DryRunState } from "./useDryRun";

interface Props extends DryRunCode {
  state: DryRunState;
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

const SHORTCUTS: ShortcutGroup = {
  title: "Code",
  shortcuts: [
    ["Ctrl+Enter", "Run the code with the test values"],
    ["Ctrl+S", "Save as new version"],
  ],
};

/** Runs the code in the sandbox, outside any agent. */
export function DryRun({ state, artifact, draft }: Props) {
  const { run, invalid, startedAt, stopped } = state;
  const text = state.edited ?? sampleOf(artifact.inputs);
  const start = () => state.start({ artifact, draft }, text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start();
  };
  useShortcutHelp(SHORTCUTS);
  useHotkeys([["mod+Enter", start]], [], true);
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
            onChange={state.edit}
          />
          <Group>
            <Button type="submit" variant="default" disabled={run.isPending}>
              Run
            </Button>
            {run.isPending && (
              <>
                <Button variant="subtle" color="gray" onClick={state.stop}>
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
          {run.data && isOutdated(run.variables, { artifact, draft }) && (
            <Alert color="yellow" role="status" p="xs">
              The code has changed since this run.
            </Alert>
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
