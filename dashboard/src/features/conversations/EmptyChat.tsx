import { Stack, Text, UnstyledButton } from "@mantine/core";
import { useIntroduction, useLatestSummaries, type Schemas } from "../../api";
import { memberLabel } from "../../components/memberLabel";
import { Dimmed, DimmedXs } from "../../components/variants";
import { asDocument } from "../../graph/document";
import { userInputsOf } from "../../graph/userInputs";
import { firstLine } from "./chatMessages";
import classes from "./chat.module.css";

const MODEL_EXAMPLES = [
  "Summarize the text below in three sentences.",
  "Draft a polite reply to the email below.",
  "Which questions should I ask before I sign a lease?",
];

const MAX_EXAMPLES = 3;

interface Props {
  workflowId: string | undefined;
  /** Puts an example into the message field. */
  onChoose: (text: string) => void;
}

/** Before the first message: what the agent does, what it needs, and examples. */
export function EmptyChat({ workflowId, onChoose }: Props) {
  const { data: agent } = useIntroduction(workflowId, introductionOf);
  const { data: sent = [] } = useLatestSummaries(workflowId, examplesOf);
  const examples = workflowId === undefined ? MODEL_EXAMPLES : sent;
  return (
    <Stack gap="md" py="lg" align="center" ta="center" maw={560} mx="auto">
      <Text c="dimmed">
        {workflowId === undefined
          ? "Ask the model anything. You can attach files."
          : agent?.description || "Send a message to start the agent."}
      </Text>
      {agent && agent.inputs.length > 0 && (
        <Dimmed>
          Include in your message: {agent.inputs.join(", ")}. The agent asks for anything that is missing.
        </Dimmed>
      )}
      {examples.length > 0 && (
        <Stack gap={6} w="100%">
          <DimmedXs fw={600}>
            {workflowId === undefined ? "Examples" : "Earlier messages to this agent"}
          </DimmedXs>
          {examples.map((example) => (
            <UnstyledButton key={example} className={classes.example} onClick={() => onChoose(example)}>
              {firstLine(example)}
            </UnstyledButton>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

/** What the agent does, and the labels of the inputs that people give it. */
const introductionOf = ({ description, document }: Schemas["WorkflowWithDraft"]) => ({
  description,
  inputs: userInputsOf(asDocument(document)).map(({ name }) => memberLabel(name).toLowerCase()),
});

/** The first messages of the latest other conversations with the agent, each once. */
const examplesOf = (items: Schemas["ConversationSummary"][]) => {
  const texts = items.flatMap(({ first_message: first }) =>
    first?.type === "USER_INPUT" && first.text && first.text.length < 200 ? [first.text] : [],
  );
  return [...new Set(texts)].slice(0, MAX_EXAMPLES);
};
