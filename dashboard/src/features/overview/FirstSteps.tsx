import { Anchor, Card, List, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useIsAdmin } from "../../api/organization";

interface Props {
  orgId: string;
  span: string;
  /** Whether a longer time can be looked at. */
  wider: boolean;
}

/** What to do where nothing has happened yet. */
export function FirstSteps({ orgId, span, wider }: Props) {
  const isAdmin = useIsAdmin();
  const to = (path: string, label: ReactNode) => (
    <Anchor component={Link} inherit to={`/organizations/${orgId}/${path}`}>
      {label}
    </Anchor>
  );
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4">
        Nothing happened in the last {span}
      </Title>
      <Text c="dimmed" size="sm" mt={4} mb="md" component="div">
        Charts of messages, runs, durations and tokens stand here as soon as there is something to show.
        {wider && <> Earlier things may be among {to("overview?hours=720", "the last 30 days")}.</>}
      </Text>
      <List type="ordered" spacing="sm">
        <List.Item>{to("agents", "Build an agent")} from the four kinds of tasks, and test it.</List.Item>
        <List.Item>{to("conversations", "Start a conversation")} with it, or with the model alone.</List.Item>
        {isAdmin && (
          <>
            <List.Item>
              {to("api-access", "Make an API key")}, and let your own program send messages.
            </List.Item>
            <List.Item>{to("members", "Invite people")} who answer what agents ask.</List.Item>
          </>
        )}
      </List>
    </Card>
  );
}
