import { Alert, Group, Stack, Text } from "@mantine/core";
import { QuietButton } from "../../components/variants";
import { CopyButton } from "../../components/CopyButton";
import { ValueList } from "../../components/ValueList";
import { copyText } from "../../values/draftValues";
import type { RawValue } from "../../values/valueFields";

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
          <QuietButton onClick={onDiscard}>Discard</QuietButton>
        </Group>
      </Stack>
    </Alert>
  );
}
