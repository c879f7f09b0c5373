import { Anchor, Card, CloseButton, Group, List, Text, Title } from "@mantine/core";
import { IconInbox, IconMessages, IconRobot, type Icon } from "@tabler/icons-react";
import { Link } from "react-router";
import { useMe } from "../../api/queries";
import { ABOUT_PARLEY } from "../../components/aboutParley";
import { useWaitingTickets } from "../tickets/useWaitingTickets";
import { useChecklistDismissed } from "./FirstSteps";

interface Step {
  icon: Icon;
  to: string;
  label: string;
  rest: string;
}

const STEPS: Step[] = [
  {
    icon: IconInbox,
    to: "tickets?assignee=team",
    label: "Claim a ticket",
    rest: "of your teams and answer it. The agent that opened it then continues.",
  },
  {
    icon: IconMessages,
    to: "conversations?dialog=new-conversation",
    label: "Start a conversation",
    rest: "with an agent, or chat directly with the model.",
  },
  {
    icon: IconRobot,
    to: "agents",
    label: "View the agents",
    rest: "of your organization and what they do.",
  },
];

interface Props {
  orgId: string;
  /** Whether to say what Parley is. */
  withAbout: boolean;
}

/** The first steps of a member who has no tickets yet; hidden once dismissed. */
export function MemberWelcome({ orgId, withAbout }: Props) {
  const { data: me } = useMe();
  const waiting = useWaitingTickets(orgId);
  const [dismissed, setDismissed] = useChecklistDismissed(orgId);
  if (dismissed || waiting.mine > 0) {
    return null;
  }
  const base = `/organizations/${orgId}`;
  const name = me?.organizations.find((each) => each.id === orgId)?.name;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="welcome">
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Title order={2} size="h4" id="welcome">
          Welcome to {name}
        </Title>
        <CloseButton aria-label="Dismiss welcome" onClick={() => setDismissed(true)} />
      </Group>
      <Text mb="md">
        {withAbout && `${ABOUT_PARLEY} `}
        {waiting.team > 0 && (
          <>
            <Anchor component={Link} inherit to={`${base}/tickets?assignee=team`}>
              {waiting.team === 1 ? "1 ticket" : `${waiting.team} tickets`}
            </Anchor>{" "}
            {waiting.team === 1 ? "waits" : "wait"} in your teams.
          </>
        )}
      </Text>
      <List spacing="sm" center listStyleType="none" styles={{ itemWrapper: { lineHeight: 1.45 } }}>
        {STEPS.map((step) => (
          <List.Item
            key={step.label}
            icon={<step.icon size={18} aria-hidden />}
            styles={{ itemIcon: { display: "flex" } }}
          >
            <Anchor component={Link} inherit to={`${base}/${step.to}`}>
              {step.label}
            </Anchor>{" "}
            <Text span inherit c="dimmed">
              {step.rest}
            </Text>
          </List.Item>
        ))}
      </List>
    </Card>
  );
}
