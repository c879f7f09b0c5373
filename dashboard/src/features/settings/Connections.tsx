import { Anchor, Code, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { api, unwrap } from "../../api/client";
import { useMe } from "../../api/queries";
import { CodeBlock } from "../../components/CodeBlock";
import { StatusLabel } from "../../components/StatusLabel";
import { useOverview } from "./useOverview";

/** The environment variables to set, with examples. */
const MODEL = [
  "PARLEY_LLM_BASE_URL=https://llm.example/v1",
  "PARLEY_LLM_API_KEY=…",
  "PARLEY_LLM_MODEL=some-model",
];
const EMAIL = [
  "PARLEY_SMTP_HOST=smtp.example.org",
  "PARLEY_SMTP_USER=…",
  "PARLEY_SMTP_PASSWORD=…",
  'PARLEY_SMTP_SENDER="Parley <parley@example.org>"',
];
const SINGLE_SIGN_ON = [
  "PARLEY_OIDC_ISSUER=https://login.example/realms/acme",
  "PARLEY_OIDC_CLIENT_ID=…",
  "PARLEY_OIDC_CLIENT_SECRET=…",
];

/** What this installation is connected to, and which settings change it. */
export function Connections({ orgId }: { orgId: string }) {
  const { data: me } = useMe();
  const overview = useOverview(orgId);
  const { data: provider } = useQuery({
    queryKey: ["oidc"],
    queryFn: () => unwrap(api.GET("/dashboard/api/oidc")),
    staleTime: 60_000,
  });
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="connections">
      <Stack gap="sm">
        <Title order={2} size="h4" id="connections">
          Connections
        </Title>
        <Text size="sm" c="dimmed">
          An operator changes them with environment variables and restarts Parley.
        </Text>
        <Table layout="fixed" verticalSpacing="xs">
          <Table.Tbody>
            <Connection name="AI model" settings={MODEL} isConnected={overview?.model_connected}>
              {overview?.model_connected
                ? "Agents and chats use it."
                : "The offline model gives placeholder answers."}
            </Connection>
            <Connection name="Email" settings={EMAIL} isConnected={me?.emails_sent}>
              {me?.emails_sent ? (
                "Invitations and ticket emails are sent."
              ) : (
                <>
                  Emails are only kept under{" "}
                  <Anchor component={Link} inherit to={`/organizations/${orgId}/emails`}>
                    Emails
                  </Anchor>
                  .
                </>
              )}
            </Connection>
            <Connection name="Single sign-on" settings={SINGLE_SIGN_ON} isConnected={provider?.enabled}>
              {provider?.enabled
                ? `People can sign in with ${provider.name ?? "OpenID Connect"}.`
                : "People sign in with a password."}
            </Connection>
          </Table.Tbody>
        </Table>
      </Stack>
    </Paper>
  );
}

interface ConnectionProps {
  name: string;
  settings: readonly string[];
  /** Undefined while it is loading. */
  isConnected: boolean | undefined;
  children: ReactNode;
}

function Connection({ name, settings, isConnected, children }: ConnectionProps) {
  const { data: me } = useMe();
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {isConnected !== undefined && children}
          </Text>
        </Table.Td>
        <Table.Td>
          {isConnected !== undefined && <StatusLabel status={isConnected ? "Connected" : "Not connected"} />}
          <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: "anywhere" }}>
            <Code>{settings[0]?.split("=")[0]}</Code>
          </Text>
        </Table.Td>
      </Table.Tr>
      {me?.operator && isConnected === false && (
        <Table.Tr>
          <Table.Td colSpan={2}>
            <details>
              <Text component="summary" size="sm" style={{ cursor: "pointer" }}>
                How to connect
              </Text>
              <Text size="xs" c="dimmed" my={6}>
                Start Parley with these environment variables, with your values:
              </Text>
              <CodeBlock code={settings.join("\n")} label={`settings: ${name}`} />
            </details>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
