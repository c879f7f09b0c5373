import { Stack, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { memberLabel } from "../../components/structures";
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
  orgId: string;
  workflowId: string | undefined;
  /** Puts an example into the message field. */
  onChoose: (text: string) => void;
}

/** Before the first message: what the agent does, what it needs, and examples. */
export function EmptyChat({ orgId, workflowId, onChoose }: Props) {
  const { data: agent } = useAgent(orgId, workflowId);
  const { data: sent = [] } = useFirstMessages(orgId, workflowId);
  const examples = workflowId === undefined ? MODEL_EXAMPLES : sent;
  return (
    <Stack gap="md" py="lg" align="center" ta="center" maw={560} mx="auto">
      <Text c="dimmed">
        {workflowId === undefined
          ? "Ask the model anything. You can attach files."
          : agent?.description || "Send a message to start the agent."}
      </Text>
      {agent && agent.inputs.length > 0 && (
        <Text size="sm" c="dimmed">
          Include in your message: {agent.inputs.join(", ")}. The agent asks for anything that is missing.
        </Text>
      )}
      {examples.length > 0 && (
        <Stack gap={6} w="100%">
          <Text size="xs" fw={600} c="dimmed">
            {workflowId === undefined ? "Examples" : "Earlier messages to this agent"}
          </Text>
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
function useAgent(orgId: string, workflowId: string | undefined) {
  return useQuery({
    queryKey: ["organization", orgId, "workflows", "introduction", workflowId],
    queryFn: async () => {
      const found = await unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
          params: { path: { orgId, workflowId: workflowId ?? "" } },
        }),
      );
      const document = asDocument(found.document);
      return {
        description: found.description,
        inputs: userInputsOf(document).map(({ name }) => memberLabel(name).toLowerCase()),
      };
    },
    enabled: workflowId !== undefined,
    staleTime: 60_000,
  });
}

/** The first messages of the latest other conversations with the agent, each once. */
function useFirstMessages(orgId: string, workflowId: string | undefined) {
  return useQuery({
    queryKey: ["organization", orgId, "conversations", "examples", workflowId],
    queryFn: async () => {
      const { items } = await unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/conversation-summaries", {
          params: { path: { orgId }, query: { workflow_id: workflowId, limit: 20 } },
        }),
      );
      const texts = items.flatMap(({ first_message: first }) =>
        first?.type === "USER_INPUT" && first.text && first.text.length < 200 ? [first.text] : [],
      );
      return [...new Set(texts)].slice(0, MAX_EXAMPLES);
    },
    enabled: workflowId !== undefined,
    staleTime: 60_000,
  });
}
