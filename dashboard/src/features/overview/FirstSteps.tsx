import { Card, CloseButton, Group, ThemeIcon } from "@mantine/core";
import { IconCheck, IconCircle } from "@tabler/icons-react";
import { useIsAdmin, useOrganizationId, type Schemas } from "../../api";
import { useStored } from "../../components/useStored";
import { SectionHeading } from "../../components/variants";
import { StepList } from "./StepList";

/** Whether the user dismissed the checklist, kept in this browser. */
export const useChecklistDismissed = () => useStored(`first-steps.${useOrganizationId()}`, false);

/** Getting started: steps that tick themselves. The card stays until all are done or the user dismisses it. */
export function FirstSteps({ steps }: { steps: Schemas["FirstSteps"] }) {
  const isAdmin = useIsAdmin();
  const [dismissed, setDismissed] = useChecklistDismissed();
  const all = [
    {
      done: steps.agent_published,
      to: "agents?dialog=new-agent",
      label: "Build an agent from a template",
      rest: "and publish it.",
    },
    { done: steps.agent_run, to: "agents", label: "Run an agent", rest: "with “Test run” in its editor." },
    {
      done: steps.conversation_started,
      to: "conversations?dialog=new-conversation",
      label: "Start a conversation",
      rest: "with your agent, or chat directly with the model.",
    },
    ...(isAdmin
      ? [
          {
            done: steps.key_created,
            to: "api-access?dialog=new-key",
            label: "Create an API key",
            rest: "and call Parley from your own code.",
          },
          {
            done: steps.member_invited,
            to: "members?dialog=invite",
            label: "Invite people",
            rest: "to work on the tickets of your agents.",
          },
        ]
      : []),
  ];
  const done = all.filter((each) => each.done).length;
  if (dismissed || done === all.length) {
    return null;
  }
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="first-steps">
      <Group justify="space-between" mb="md" wrap="nowrap">
        <SectionHeading id="first-steps">
          Getting started: {done} of {all.length} done
        </SectionHeading>
        <CloseButton aria-label="Dismiss getting started" onClick={() => setDismissed(true)} />
      </Group>
      <StepList steps={all.map((step) => ({ ...step, icon: <Checkmark done={step.done} /> }))} />
    </Card>
  );
}

const Checkmark = ({ done }: { done: boolean }) => (
  <ThemeIcon
    size={22}
    radius="xl"
    variant={done ? "filled" : "transparent"}
    color={done ? "green.9" : "gray"}
    aria-hidden
  >
    {done ? <IconCheck size={14} /> : <IconCircle size={20} />}
  </ThemeIcon>
);
