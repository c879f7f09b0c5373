import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { CopyButton } from "../../components/CopyButton";
import { ValueList } from "../../components/ValueList";
import { copyText } from "./draftValues";
import type { RawValue } from "../../components/valueFields";

interface Props {
  title: string;
  values: Record<string, RawValue>;
  onDiscard: () => void;
}

/** What a person typed into a form or a comment that can no longer be sent. */
export function UnsentEntries({ title, values, onDiscard }: Props) {
  return (
    <Alert color="yellow" title={title}>
      <Stack gap="sm">
        <Text size="sm">The ticket ended before you sent this. Copy what you still need.</Text>
        <ValueList readable values={values} />
        <Group gap="xs">
          <CopyButton text={copyText(values)} label="Copy" />
          <Button variant="subtle" color="gray" onClick={onDiscard}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
