import { Anchor, Card, List, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useIsAdmin } from "../../api/organization";

interface Props {
  orgId: string;
  span: string;
  /** Whether a longer period can be selected. */
  canWiden: boolean;
}

/** Getting-started steps, shown while there is no activity. */
export function FirstSteps({ orgId, span, canWiden }: Props) {
  const isAdmin = useIsAdmin();
  const to = (path: string, label: ReactNode) => (
    <Anchor component={Link} inherit to={`/organizations/${orgId}/${path}`}>
      {label}
    </Anchor>
  );
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4">
        No activity in the last {span}
      </Title>
      <Text c="dimmed" size="sm" mt={4} mb="md" component="div">
        Charts appear here once there is activity.
        {canWiden && <> Looking for something older? View {to("overview?hours=720", "the last 30 days")}.</>}
      </Text>
      <List type="ordered" spacing="sm">
        <List.Item>
          {to("agents", "Build an agent")} from AI, Human, App and Coder tasks, then test it.
        </List.Item>
        <List.Item>
          {to("conversations", "Start a conversation")} with your agent, or chat directly with the model.
        </List.Item>
        {isAdmin && (
          <>
            <List.Item>{to("api-access", "Create an API key")} and call Parley from your own code.</List.Item>
            <List.Item>{to("members", "Invite people")} to work on the tickets of your agents.</List.Item>
          </>
        )}
      </List>
    </Card>
  );
}
