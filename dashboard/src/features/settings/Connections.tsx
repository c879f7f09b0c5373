import { Anchor, Code, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { api, unwrap } from "../../api/client";
import { useMe } from "../../api/queries";
import { StatusLabel } from "../../components/StatusLabel";
import { useOverview } from "./useOverview";

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
            <Connection name="AI model" setting="PARLEY_LLM_BASE_URL" isConnected={overview?.model_connected}>
              {overview?.model_connected
                ? "Agents and chats use it."
                : "The offline model gives placeholder answers."}
            </Connection>
            <Connection name="Email" setting="PARLEY_SMTP_HOST" isConnected={me?.emails_sent}>
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
            <Connection name="Single sign-on" setting="PARLEY_OIDC_ISSUER" isConnected={provider?.enabled}>
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
  /** The first environment variable to set. */
  setting: string;
  /** Undefined while it is loading. */
  isConnected: boolean | undefined;
  children: ReactNode;
}

function Connection({ name, setting, isConnected, children }: ConnectionProps) {
  return (
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
          <Code>{setting}</Code>
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
