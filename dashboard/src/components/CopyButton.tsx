import { Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { SecondaryButton, QuietIcon } from "./variants";

interface Props {
  text: string;
  label: string;
  /** Renders an icon button. */
  small?: boolean;
  /** For text that is shown only once, after the action that created it. */
  autoFocus?: boolean;
}

/** Copies text to the clipboard. */
export function CopyButton({ text, label, small = false, autoFocus = false }: Props) {
  const clipboard = useClipboard();
  const icon = clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />;
  const copy = () => clipboard.copy(text);
  if (small) {
    return (
      <Tooltip label={clipboard.copied ? "Copied" : label}>
        <QuietIcon aria-label={label} onClick={copy}>
          {icon}
        </QuietIcon>
      </Tooltip>
    );
  }
  return (
    <SecondaryButton leftSection={icon} onClick={copy} autoFocus={autoFocus}>
      {clipboard.copied ? "Copied" : label}
    </SecondaryButton>
  );
}
