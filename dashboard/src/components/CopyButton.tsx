import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";

/** Copies text to the clipboard. `small` renders an icon button. */
export function CopyButton({ text, label, small = false }: { text: string; label: string; small?: boolean }) {
  const clipboard = useClipboard();
  const icon = clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />;
  const copy = () => clipboard.copy(text);
  if (small) {
    return (
      <Tooltip label={clipboard.copied ? "Copied" : label}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={copy}>
          {icon}
        </ActionIcon>
      </Tooltip>
    );
  }
  return (
    <Button variant="default" leftSection={icon} onClick={copy}>
      {clipboard.copied ? "Copied" : label}
    </Button>
  );
}
