import { Card, CloseButton, Group, Text } from "@mantine/core";
import { IconInbox, IconMessages, IconRobot, IconUsers, type Icon } from "@tabler/icons-react";
import { TextLink } from "../../components/PageLink";
import { useIsAdmin, useMe, useOrganizationId } from "../../api";
import { SectionHeading } from "../../components/variants";
import { ABOUT_PARLEY } from "../../components/aboutParley";
import { counted } from "../../components/counted";
import { useWaitingTickets } from "../tickets/useWaitingTickets";
import { useChecklistDismissed } from "./FirstSteps";
import { StepList, type Step } from "./StepList";

const step = (Picture: Icon, to: string, label: string, rest: string): Step => ({
  icon: <Picture size={18} aria-hidden />,
  to,
  label,
  rest,
});

const CONVERSATION = step(
  IconMessages,
  "conversations?dialog=new-conversation",
  "Start a conversation",
  "with an agent, or chat directly with the model.",
);

const MEMBER_STEPS = [
  step(
    IconInbox,
    "tickets?assignee=team",
    "Claim a ticket",
    "of your teams and answer it. The agent that opened it then continues.",
  ),
  CONVERSATION,
  step(IconRobot, "agents", "View the agents", "of your organization and what they do."),
];

const ADMIN_STEPS = [
  step(IconRobot, "agents", "View the agents", "of your organization, or build one."),
  CONVERSATION,
  step(IconUsers, "members", "View the members", "with their roles and teams, and invite people."),
];

interface Props {
  /** Whether to say what Parley is. */
  withAbout: boolean;
}

/** The first steps of an invited person who has no tickets yet; hidden once dismissed. */
export function MemberWelcome({ withAbout }: Props) {
  const orgId = useOrganizationId();
  const { data: me } = useMe();
  const isAdmin = useIsAdmin();
  const waiting = useWaitingTickets();
  const [dismissed, setDismissed] = useChecklistDismissed();
  if (dismissed || waiting.mine > 0) {
    return null;
  }
  const name = me?.organizations.find((each) => each.id === orgId)?.name;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="welcome">
      <Group justify="space-between" mb={4} wrap="nowrap">
        <SectionHeading id="welcome">Welcome to {name}</SectionHeading>
        <CloseButton aria-label="Dismiss welcome" onClick={() => setDismissed(true)} />
      </Group>
      <Text mb="md">
        {withAbout && `${ABOUT_PARLEY} `}
        {waiting.team > 0 && (
          <>
            <TextLink to="tickets?assignee=team">{counted(waiting.team, "ticket")}</TextLink>{" "}
            {waiting.team === 1 ? "waits" : "wait"} in your teams.
          </>
        )}
      </Text>
      <StepList steps={isAdmin ? ADMIN_STEPS : MEMBER_STEPS} />
    </Card>
  );
}
