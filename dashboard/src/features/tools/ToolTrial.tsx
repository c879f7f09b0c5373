import { Alert, Button, Card, Grid, Group, Stack, Text } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { IconTerminal } from "@tabler/icons-react";
import { useState, type FormEvent, type ReactNode } from "react";
import { TextLink } from "../../components/PageLink";
import { ApiError, toolRequest, useOrganizationId, useTryTool, type Schemas } from "../../api";
import { CardHeading, Dimmed, SecondaryButton, DimmedXs } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { JsonTree } from "../../components/JsonTree";
import { FormattedText } from "../../components/Markdown";
import { StatusLabel } from "../../components/StatusLabel";
import { formatDuration, Time } from "../../components/Time";
import type { RawValue } from "../../values/valueFields";
import { ArgumentInput } from "../../values/ArgumentInput";
import { fieldsOf, parseArguments } from "../../values/schemaFields";
import { addCall, readCalls, summaryOf, type PastCall } from "./toolCalls";
import { curlOf, curlOfRequest } from "./toolCurl";
import { capitalized } from "../../components/capitalized";
import { parsedJson } from "../../components/json";

interface Props {
  tool: Schemas["Tool"];
  /** Undefined until the provider is loaded. */
  kind: Schemas["ToolProvider"]["kind"] | undefined;
  /** More about the tool, below the result. */
  children: ReactNode;
}

/** A form to call a tool, and the result of the last call. */
export function ToolTrial({ tool, kind, children }: Props) {
  const orgId = useOrganizationId();
  const fields = fieldsOf(tool.input_schema);
  const [typed, setTyped] = useState<Record<string, RawValue>>({});
  const [asJson, setAsJson] = useState<Record<string, boolean>>({});
  const [parseErrors, setParseErrors] = useState<Record<string, string>>({});
  const [calls, setCalls] = useState(() => readCalls(sessionStorage, orgId, tool.tool_id));
  const clipboard = useClipboard();
  const call = useTryTool(tool.tool_id, {
    onSuccess: (outcome) =>
      setCalls(
        addCall(sessionStorage, orgId, tool.tool_id, {
          at: new Date().toISOString(),
          succeeded: outcome.succeeded,
          durationMs: outcome.duration_ms,
          typed,
          asJson,
        }),
      ),
  });
  const copying = useMutation({
    mutationFn: async (given: Record<string, unknown>) =>
      curlOf(tool, given, location.origin) ?? curlOfRequest(await toolRequest(orgId, tool.tool_id, given)),
    onSuccess: (command) => clipboard.copy(command),
  });
  const withArguments = (send: (given: Record<string, unknown>) => void) => {
    const { values, errors } = parseArguments(fields, typed, asJson);
    setParseErrors(errors);
    copying.reset();
    if (call.error) {
      // A result stays; the errors belong to earlier arguments.
      call.reset();
    }
    if (Object.keys(errors).length === 0) {
      send(values);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    withArguments(call.mutate);
  };
  // The latest call is the one whose result is shown.
  const earlier = call.data ? calls.slice(1) : calls;
  const isAgent = tool.provider === "workflow";
  const failure = call.error ?? copying.error;
  const errors = argumentErrors(failure);
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <CardHeading>{isAgent ? "Start this agent" : "Try this tool"}</CardHeading>
            {fields.length === 0 && <Dimmed>This tool takes no arguments.</Dimmed>}
            {fields.map((field) => (
              <ArgumentInput
                key={field.name}
                field={field}
                value={typed[field.name] ?? null}
                error={parseErrors[field.name] ?? errors.messages.get(field.name)}
                isJson={asJson[field.name] ?? false}
                onJson={(isJson) => setAsJson((now) => ({ ...now, [field.name]: isJson }))}
                onChange={(value) => setTyped((now) => ({ ...now, [field.name]: value }))}
              />
            ))}
            <ErrorNotice
              error={failure}
              fieldPaths={errors.paths.filter((path) => fields.some(({ name }) => name === argumentOf(path)))}
            />
            <Group>
              {!isAgent && (
                <Button type="submit" loading={call.isPending} disabled={!tool.available}>
                  Call tool
                </Button>
              )}
              {(kind === "openapi" || curlOf(tool, {}, location.origin) !== undefined) && (
                <SecondaryButton
                  leftSection={<IconTerminal size={16} />}
                  loading={copying.isPending}
                  onClick={() => withArguments(copying.mutate)}
                >
                  {clipboard.copied ? "Copied" : "Copy as curl"}
                </SecondaryButton>
              )}
            </Group>
            <DimmedXs>
              {isAgent ? (
                <>
                  As a tool, an agent is called by tasks only. The curl command starts it through the API; try
                  it in <TextLink to={`agents/${tool.tool_name}?view=test`}>a test run</TextLink>.
                </>
              ) : (
                `This is a real call with real effects.${kind === "openapi" ? " The curl command has no credentials." : ""}`
              )}
            </DimmedXs>
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack gap="lg">
          {!isAgent && <Result of={call.data} />}
          {earlier.length > 0 && (
            <EarlierCalls
              calls={earlier}
              onUse={(used) => {
                setTyped(used.typed);
                setAsJson(used.asJson);
                setParseErrors({});
              }}
            />
          )}
          {children}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

const Result = ({ of: outcome }: { of: Schemas["ToolTrialOutcome"] | undefined }) => (
  <section>
    <CardHeading mb="xs">Result</CardHeading>
    <div aria-live="polite">
      {outcome ? (
        <TrialOutcome of={outcome} />
      ) : (
        <Card withBorder padding="md">
          <Dimmed>Call the tool to see its result here.</Dimmed>
        </Card>
      )}
    </div>
  </section>
);

function EarlierCalls({ calls, onUse }: { calls: PastCall[]; onUse: (call: PastCall) => void }) {
  return (
    <section aria-labelledby="earlier-calls">
      <CardHeading mb="xs" id="earlier-calls">
        Earlier calls
      </CardHeading>
      <Stack gap={8} component="ul" p={0} m={0}>
        {calls.map((each) => (
          <Group key={each.at} justify="space-between" wrap="nowrap" component="li">
            <div style={{ minWidth: 0 }}>
              <Group gap="xs">
                <StatusLabel status={each.succeeded ? "SUCCEEDED" : "FAILED"} />
                <Dimmed>
                  <Time at={each.at} relative /> · {formatDuration(each.durationMs)}
                </Dimmed>
              </Group>
              <DimmedXs truncate title={summaryOf(each)}>
                {summaryOf(each)}
              </DimmedXs>
            </div>
            <Button size="compact-xs" variant="subtle" flex="none" onClick={() => onUse(each)}>
              Use again
            </Button>
          </Group>
        ))}
      </Stack>
    </section>
  );
}

/** The argument that a JSON pointer such as "/arguments/headers/X-Tenant" belongs to. */
function argumentOf(path: string): string | undefined {
  const [, root, name] = path.split("/");
  return root === "arguments" ? name?.replaceAll("~1", "/").replaceAll("~0", "~") : undefined;
}

/** The first error of each argument; those within its value name the place. */
function argumentErrors(error: unknown) {
  const violations = error instanceof ApiError ? error.violations : [];
  const messages = new Map<string, string>();
  for (const { path, detail, code, params } of violations) {
    const name = argumentOf(path);
    if (name !== undefined && !messages.has(name)) {
      const within = path.slice(`/arguments/${name}`.length);
      const text = capitalized(code === "schema_mismatch" ? `${String(params?.message)}.` : detail);
      messages.set(name, code === "required" ? "Required" : within ? `${within}: ${text}` : text);
    }
  }
  return { messages, paths: violations.map(({ path }) => path) };
}

function TrialOutcome({ of: outcome }: { of: Schemas["ToolTrialOutcome"] }) {
  const { structured, text, error, files } = outcome;
  const hasStructure = structured !== null && structured !== undefined;
  const parsed = hasStructure || !text ? undefined : jsonOf(text);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <StatusLabel status={outcome.succeeded ? "SUCCEEDED" : "FAILED"} />
        <Dimmed>took {formatDuration(outcome.duration_ms)}</Dimmed>
      </Group>
      {error && (
        <Alert color="red" title={error.error} style={{ overflowWrap: "anywhere" }}>
          {error.detail}
          {error.is_transient && " A run would retry this automatically."}
        </Alert>
      )}
      {hasStructure && <JsonTree value={structured} label="result" />}
      {parsed !== undefined && <JsonTree value={parsed} label="result" />}
      {text && parsed === undefined && !repeats(text, structured) && (
        <Card withBorder padding="md" aria-label="Result text" component="section">
          <FormattedText switchable>{text}</FormattedText>
        </Card>
      )}
      {files.map((file, index) => (
        // Result files have no names or IDs.
        // oxlint-disable-next-line react/no-array-index-key
        <Text size="sm" key={index}>
          File: {file.size.toLocaleString()} bytes, {file.content_type}
        </Text>
      ))}
    </Stack>
  );
}

/** The object or array that a text is; undefined for any other text. */
const jsonOf = (text: string) => (/^\s*[[{]/.test(text) ? parsedJson(text) : undefined);

/** Whether the text repeats the structured result, as servers do for old clients, or one of its members. */
function repeats(text: string, structured: unknown): boolean {
  if (structured && Object.values(structured).includes(text)) {
    return true;
  }
  const parsed = jsonOf(text);
  return parsed !== undefined && JSON.stringify(parsed) === JSON.stringify(structured);
}
