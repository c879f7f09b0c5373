import { Alert, Group, JsonInput, SimpleGrid, Stack } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useRef, useState, type FormEvent } from "react";
import { fieldErrors, type Schemas } from "../../api";
import { CodeText } from "../../components/CodeBlock";
import { CardHeading, SecondaryButton, Dimmed, Strong, QuietButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { JsonBlock } from "../../components/JsonBlock";
import { useShortcutHelp, type ShortcutGroup } from "../../components/shortcuts";
import { formatDuration } from "../../components/Time";
import type { ItemType } from "../../values/structures";
import type { ValueField } from "../../values/valueFields";
import { anyOf, useFocusOnError } from "../../components/useFocusOnError";
import { ValueInput } from "../../values/ValueInput";
import { useFormDraft } from "../../values/useFormDraft";
import { CodeErrorText } from "./CodeErrorText";
import { testValues } from "./testValues";
import { useNow } from "../../components/useNow";
import { isOutdated, type DryRunCode, type DryRunState } from "./useDryRun";

interface Props extends DryRunCode {
  state: DryRunState;
  /** The inputs as they are declared in the form. */
  inputs: Schemas["CodeInput"][];
}

/** Values for the code of the template. */
const SAMPLE = JSON.stringify({ name: "Ada" }, null, 2);

/** From here on, most of the time is usually the wait for the sandbox of a busy machine. */
const LONG_SECONDS = 5;

const SHORTCUTS: ShortcutGroup = {
  title: "Code",
  shortcuts: [
    ["Ctrl+Enter", "Run the code with the test values"],
    ["Ctrl+S", "Save as new version"],
  ],
};

/** Runs the code in the sandbox, outside any agent. */
export function DryRun({ state, artifact, draft, inputs }: Props) {
  const { run, invalid, startedAt, stopped } = state;
  const fields: ValueField[] = inputs.map(({ name, type, description, required, items }) => ({
    name,
    type,
    description: description ?? "",
    required: required ?? true,
    items: items as ItemType | undefined,
  }));
  const typed = useFormDraft(`code/${artifact.id}/test-inputs`, fields);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, anyOf(errors));
  const text = state.edited ?? SAMPLE;
  const start = () => {
    if (fields.length === 0) {
      state.start({ artifact, draft }, text);
      return;
    }
    const { values, errors: found } = testValues(fields, typed.values);
    setErrors(found);
    if (Object.keys(found).length === 0) {
      state.start({ artifact, draft }, JSON.stringify(values));
    } else if (!run.isPending) {
      run.reset();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start();
  };
  useShortcutHelp(SHORTCUTS);
  useHotkeys([["mod+Enter", start]], [], true);
  const now = useNow(run.isPending);
  const seconds = Math.max(0, Math.floor((now - startedAt) / 1000));
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <CardHeading mb="sm">Dry run</CardHeading>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Stack gap="sm">
          {fields.length === 0 ? (
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
          ) : (
            fields.map((field) => (
              <ValueInput
                key={field.name}
                field={field}
                value={typed.values[field.name] ?? null}
                error={errors[field.name]}
                onChange={(value) => typed.set(field.name, value)}
              />
            ))
          )}
          <Group>
            <SecondaryButton type="submit" disabled={run.isPending}>
              Run
            </SecondaryButton>
            {run.isPending && (
              <>
                <QuietButton onClick={state.stop}>Stop</QuietButton>
                <Dimmed role="status">
                  Running, {seconds} s{seconds >= LONG_SECONDS && ", including the wait for the sandbox"}
                </Dimmed>
              </>
            )}
          </Group>
        </Stack>
        <Stack gap="sm">
          {stopped ? (
            <Dimmed role="status">Stopped. The sandbox ends the code at its time limit at the latest.</Dimmed>
          ) : (
            <ErrorNotice error={run.error} fieldPaths={fields.length === 0 ? ["/inputs"] : []} />
          )}
          {run.data && isOutdated(run.variables, { artifact, draft }) && (
            <Alert color="yellow" role="status" p="xs">
              The code has changed since this run.
            </Alert>
          )}
          {run.data && <DryRunOutcome of={run.data} />}
          {run.isIdle && <Dimmed>The result and the console appear here.</Dimmed>}
        </Stack>
      </SimpleGrid>
    </form>
  );
}

function DryRunOutcome({ of: outcome }: { of: Schemas["CodeDryRun"] }) {
  return (
    <Stack gap="xs" aria-live="polite">
      <Dimmed>Took {formatDuration(outcome.duration_ms)}</Dimmed>
      {outcome.error && (
        <Alert color="red" title={outcome.error.error}>
          <CodeErrorText detail={outcome.error.detail} />
        </Alert>
      )}
      {outcome.result !== null && <JsonBlock value={outcome.result} label="result" />}
      {outcome.console && (
        <>
          <Strong>Console</Strong>
          <CodeText label="Console output">{outcome.console}</CodeText>
        </>
      )}
    </Stack>
  );
}
