import { Group, TextInput } from "@mantine/core";
import { CopyButton } from "../../components/CopyButton";

/** A link that is shown once; focus goes to its copy button. */
export function SecretLink({ label, link }: { label: string; link: string }) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput label={label} readOnly flex={1} value={link} />
      <CopyButton text={link} label="Copy link" autoFocus />
    </Group>
  );
}
