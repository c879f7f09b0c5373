import { Code, Paper, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { TextLink } from "../../components/PageLink";
import { useMe, useOidcProvider, useOverview } from "../../api";
import { SectionHeading, Dimmed, Strong, DimmedXs } from "../../components/variants";
import { CodeBlock } from "../../components/CodeBlock";
import { StatusLabel } from "../../components/StatusLabel";

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
export function Connections() {
  const { data: me } = useMe();
  const overview = useOverview();
  const { data: provider } = useOidcProvider();
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="connections">
      <Stack gap="sm">
        <SectionHeading id="connections">Connections</SectionHeading>
        <Dimmed>An operator changes them with environment variables and restarts Parley.</Dimmed>
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
                  Emails are only kept under <TextLink to="emails">Emails</TextLink>.
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
          <Strong>{name}</Strong>
          <DimmedXs>{isConnected !== undefined && children}</DimmedXs>
        </Table.Td>
        <Table.Td>
          {isConnected !== undefined && <StatusLabel status={isConnected ? "Connected" : "Not connected"} />}
          <DimmedXs mt={4} style={{ overflowWrap: "anywhere" }}>
            <Code>{settings[0]?.split("=")[0]}</Code>
          </DimmedXs>
        </Table.Td>
      </Table.Tr>
      {me?.operator && isConnected === false && (
        <Table.Tr>
          <Table.Td colSpan={2}>
            <details>
              <Text component="summary" size="sm" style={{ cursor: "pointer" }}>
                How to connect
              </Text>
              <DimmedXs my={6}>Start Parley with these environment variables, with your values:</DimmedXs>
              <CodeBlock code={settings.join("\n")} label={`settings: ${name}`} />
            </details>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
