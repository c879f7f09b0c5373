import { Anchor, Button, Collapse, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { useActorName } from "../../api/organization";
import { JsonBlock } from "../../components/JsonBlock";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { MessageContent } from "./MessageContent";
import classes from "./chat.module.css";

const LABELS: Partial<Record<Schemas["MessageType"], string>> = {
  INPUT_REQUEST: "needs your input",
  HUMAN_RESPONSE: "answered a ticket",
  SYSTEM: "(notice)",
};

export function MessageBubble({ orgId, message }: { orgId: string; message: Schemas["Message"] }) {
  const nameOf = useActorName();
  const [raw, toggle] = useDisclosure(false);
  const run = message.metadata.workflow_instance_id;
  const runStatus = message.metadata.workflow_instance_status;
  const ticket = message.metadata.ticket_id;
  return (
    <article className={classes.message} data-type={message.type}>
      <Group gap="xs" mb={4}>
        <Text size="xs" fw={600}>
          {nameOf(message.created_by)} {LABELS[message.type]}
        </Text>
        <Text size="xs" c="dimmed">
          <Time at={message.created_at} />
        </Text>
        {message.status !== "DELIVERED" && <StatusLabel status={message.status} />}
      </Group>
      <div className={classes.bubble}>
        <MessageContent message={message} />
      </div>
      <Group gap="sm" mt={2}>
        {typeof run === "string" && (
          <Anchor component={Link} size="xs" to={`/organizations/${orgId}/runs/${run}`}>
            Run{typeof runStatus === "string" && `: ${runStatus.toLowerCase()}`}
          </Anchor>
        )}
        {typeof ticket === "string" && (
          <Anchor component={Link} size="xs" to={`/organizations/${orgId}/tickets/${ticket}`}>
            Ticket
          </Anchor>
        )}
        <Button size="compact-xs" variant="subtle" color="gray" aria-expanded={raw} onClick={toggle.toggle}>
          {raw ? "Hide JSON" : "Show JSON"}
        </Button>
      </Group>
      <Collapse expanded={raw}>{raw && <JsonBlock value={message} label="message as JSON" />}</Collapse>
    </article>
  );
}
