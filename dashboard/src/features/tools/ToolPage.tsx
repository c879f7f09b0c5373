import { Alert, Button, Grid, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useParams } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { faultsOf } from "../../api/problem";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Json } from "../../parts/Json";
import { Loaded } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { duration } from "../../parts/Time";
import { TypedInput } from "../../parts/TypedInput";
import { readTyped, type Typed } from "../../parts/typed";
import { fieldsOf, withNumbers } from "./schemaFields";

/** One tool: what it takes and gives, and a form to try it out. */
export default function ToolPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const toolId = Number(useParams().toolId);
  const tool = useQuery({
    queryKey: ["organization", orgId, "tools", "one", toolId],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/tools/{toolId}", {
          params: { path: { orgId, toolId } },
        }),
      ),
  });
  return (
    <Loaded query={tool}>
      {(found) => (
        <Page
          title={found.title || found.tool_name}
          back={{ to: `/organizations/${orgId}/tools`, label: "Tools" }}
          badge={found.available ? undefined : <Status of="No longer offered" />}
          about={`${found.provider} · ${found.tool_name} · id ${found.tool_id}`}
        >
          <Text maw={760} style={{ whiteSpace: "pre-wrap" }}>
            {found.description}
          </Text>
          <Grid gap="xl">
            <Grid.Col span={{ base: 12, md: 6 }}>
              {isAdmin ? (
                <TryOut orgId={orgId} tool={found} />
              ) : (
                <Text size="sm" c="dimmed">
                  Owners and admins of the organization can try it out here: each call is a real one.
                </Text>
              )}
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Stack>
                <Title order={2} size="h5">
                  What it takes
                </Title>
                <Json value={found.input_schema} label="schema of the arguments" />
                {found.output_schema && (
                  <>
                    <Title order={2} size="h5">
                      What it gives
                    </Title>
                    <Json value={found.output_schema} label="schema of the result" />
                  </>
                )}
              </Stack>
            </Grid.Col>
          </Grid>
        </Page>
      )}
    </Loaded>
  );
}

function TryOut({ orgId, tool }: { orgId: string; tool: Schemas["Tool"] }) {
  const fields = fieldsOf(tool.input_schema);
  const [typed, setTyped] = useState<Record<string, Typed>>({});
  const [unread, setUnread] = useState<Record<string, string>>({});
  const call = useMutation({
    mutationFn: (given: Record<string, unknown>) =>
      ask(
        api.POST("/dashboard/api/organizations/{orgId}/tools/{toolId}/try", {
          params: { path: { orgId, toolId: tool.tool_id } },
          body: { arguments: given },
        }),
      ),
  });
  const { at } = faultsOf(call.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { values, faults } = readTyped(fields, typed);
    setUnread(faults);
    if (Object.keys(faults).length === 0) {
      call.mutate(withNumbers(fields, values));
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Title order={2} size="h5">
          Try it out
        </Title>
        {fields.length === 0 && (
          <Text size="sm" c="dimmed">
            It takes no arguments.
          </Text>
        )}
        {fields.map((field) => (
          <TypedInput
            key={field.name}
            field={field}
            value={typed[field.name] ?? null}
            error={unread[field.name] ?? at(`/arguments/${field.name}`)}
            onChange={(value) => setTyped((now) => ({ ...now, [field.name]: value }))}
          />
        ))}
        <ErrorNotice error={call.error} shown={fields.map((field) => `/arguments/${field.name}`)} />
        <Group>
          <Button type="submit" loading={call.isPending} disabled={!tool.available}>
            Call the tool
          </Button>
        </Group>
        {call.data && <Outcome of={call.data} />}
      </Stack>
    </form>
  );
}

function Outcome({ of: outcome }: { of: Schemas["ToolTrialOutcome"] }) {
  return (
    <Stack gap="xs" aria-live="polite">
      <Group gap="xs">
        <Status of={outcome.succeeded ? "SUCCEEDED" : "FAILED"} />
        <Text size="sm" c="dimmed">
          took {duration(outcome.duration_ms)}
        </Text>
      </Group>
      {outcome.error && (
        <Alert color="red" title={outcome.error.error}>
          {outcome.error.detail}
          {outcome.error.is_transient && " A workflow would try again by itself."}
        </Alert>
      )}
      {outcome.structured !== null && outcome.structured !== undefined && (
        <Json value={outcome.structured} label="result" />
      )}
      {outcome.text && (
        <pre className="code" tabIndex={0} aria-label="Text of the result">
          {outcome.text}
        </pre>
      )}
      {outcome.files.map((file, index) => (
        // Files of a result have no names.
        // oxlint-disable-next-line react/no-array-index-key
        <Text size="sm" key={index}>
          A file of {file.size.toLocaleString()} bytes, {file.content_type}
        </Text>
      ))}
    </Stack>
  );
}
