import { Alert, Button, Grid, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { fieldErrors } from "../../api/problem";
import { ErrorNotice } from "../../components/ErrorNotice";
import { JsonBlock } from "../../components/JsonBlock";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { formatDuration } from "../../components/Time";
import { ValueInput } from "../../components/ValueInput";
import { parseValues, type RawValue } from "../../components/valueFields";
import { fieldsOf, withNumbers } from "./schemaFields";

/** A tool with its schemas and a form to try it. */
export default function ToolPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const toolId = Number(useParams().toolId);
  const tool = useQuery({
    queryKey: ["organization", orgId, "tools", "one", toolId],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tools/{toolId}", {
          params: { path: { orgId, toolId } },
        }),
      ),
  });
  return (
    <QueryBoundary query={tool}>
      {(found) => (
        <Page
          title={found.title || found.tool_name}
          back={{ to: `/organizations/${orgId}/tools`, label: "Tools" }}
          badge={found.available ? undefined : <StatusLabel status="No longer available" />}
          about={`${found.provider} · ${found.tool_name} · ID ${found.tool_id}`}
        >
          <Text maw={760} style={{ whiteSpace: "pre-wrap" }}>
            {found.description}
          </Text>
          <Grid gap="xl">
            <Grid.Col span={{ base: 12, md: 6 }}>
              {isAdmin ? (
                <ToolTrial orgId={orgId} tool={found} />
              ) : (
                <Text size="sm" c="dimmed">
                  Only owners and admins can try tools, because every call is real.
                </Text>
              )}
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Stack>
                <Title order={2} size="h5">
                  Input schema
                </Title>
                <JsonBlock value={found.input_schema} label="input schema" />
                {found.output_schema && (
                  <>
                    <Title order={2} size="h5">
                      Output schema
                    </Title>
                    <JsonBlock value={found.output_schema} label="output schema" />
                  </>
                )}
              </Stack>
            </Grid.Col>
          </Grid>
        </Page>
      )}
    </QueryBoundary>
  );
}

function ToolTrial({ orgId, tool }: { orgId: string; tool: Schemas["Tool"] }) {
  const fields = fieldsOf(tool.input_schema);
  const [typed, setTyped] = useState<Record<string, RawValue>>({});
  const [parseErrors, setParseErrors] = useState<Record<string, string>>({});
  const call = useMutation({
    mutationFn: (given: Record<string, unknown>) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tools/{toolId}/try", {
          params: { path: { orgId, toolId: tool.tool_id } },
          body: { arguments: given },
        }),
      ),
  });
  const { at } = fieldErrors(call.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { values, errors } = parseValues(fields, typed);
    setParseErrors(errors);
    if (Object.keys(errors).length === 0) {
      call.mutate(withNumbers(fields, values));
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Title order={2} size="h5">
          Try this tool
        </Title>
        {fields.length === 0 && (
          <Text size="sm" c="dimmed">
            This tool takes no arguments.
          </Text>
        )}
        {fields.map((field) => (
          <ValueInput
            key={field.name}
            field={field}
            value={typed[field.name] ?? null}
            error={parseErrors[field.name] ?? at(`/arguments/${field.name}`)}
            onChange={(value) => setTyped((now) => ({ ...now, [field.name]: value }))}
          />
        ))}
        <ErrorNotice error={call.error} fieldPaths={fields.map((field) => `/arguments/${field.name}`)} />
        <Group>
          <Button type="submit" loading={call.isPending} disabled={!tool.available}>
            Call tool
          </Button>
        </Group>
        {call.data && <TrialOutcome of={call.data} />}
      </Stack>
    </form>
  );
}

function TrialOutcome({ of: outcome }: { of: Schemas["ToolTrialOutcome"] }) {
  return (
    <Stack gap="xs" aria-live="polite">
      <Group gap="xs">
        <StatusLabel status={outcome.succeeded ? "SUCCEEDED" : "FAILED"} />
        <Text size="sm" c="dimmed">
          took {formatDuration(outcome.duration_ms)}
        </Text>
      </Group>
      {outcome.error && (
        <Alert color="red" title={outcome.error.error}>
          {outcome.error.detail}
          {outcome.error.is_transient && " A run would retry this automatically."}
        </Alert>
      )}
      {outcome.structured !== null && outcome.structured !== undefined && (
        <JsonBlock value={outcome.structured} label="result" />
      )}
      {outcome.text && (
        <pre className="code" tabIndex={0} aria-label="Result text">
          {outcome.text}
        </pre>
      )}
      {outcome.files.map((file, index) => (
        // Result files have no names or IDs.
        // oxlint-disable-next-line react/no-array-index-key
        <Text size="sm" key={index}>
          File: {file.size.toLocaleString()} bytes, {file.content_type}
        </Text>
      ))}
    </Stack>
  );
}
