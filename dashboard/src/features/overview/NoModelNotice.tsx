import { Alert, Modal, Stack, Text } from "@mantine/core";
import { useIsAdmin } from "../../api";
import { CodeText } from "../../components/CodeBlock";
import { Dimmed, TextButton } from "../../components/variants";
import { CopyButton } from "../../components/CopyButton";
import { useDialog } from "../../components/useDialog";

const SETTINGS = `PARLEY_LLM_BASE_URL=https://llm.example/v1
PARLEY_LLM_API_KEY=…
PARLEY_LLM_MODEL=…`;

/** Without a model the answers follow a fixed rule, which would look broken. */
export function NoModelNotice() {
  const isAdmin = useIsAdmin();
  const dialog = useDialog("connect-model");
  if (!isAdmin) {
    return (
      <Alert color="yellow" py="xs" title="No AI model is connected">
        AI tasks and chats get placeholder answers. Ask an admin to connect a model.
      </Alert>
    );
  }
  return (
    <Alert color="yellow" py="xs" title="No AI model is connected">
      AI tasks and chats get placeholder answers from the offline model.{" "}
      <TextButton onClick={dialog.open}>Connect a model</TextButton>
      <Modal opened={dialog.opened} onClose={dialog.close} title="Connect a model" size="lg">
        <Stack gap="sm">
          <Text size="sm">
            Parley reads the model from its environment. Ask the operator of the server to set the address,
            the key and the name of any model with an OpenAI-compatible API, and to restart Parley:
          </Text>
          <CodeText label="Settings">{SETTINGS}</CodeText>
          <div>
            <CopyButton text={SETTINGS} label="Copy settings" />
          </div>
          <Dimmed>
            Until then the offline model answers by fixed rules: chats repeat your message, and AI tasks copy
            or make up their outputs. Agents, tickets and code work as usual, so you can build and test them
            now.
          </Dimmed>
        </Stack>
      </Modal>
    </Alert>
  );
}
