import { Box } from "@mantine/core";
import { CopyButton } from "./CopyButton";

/** Formatted JSON with a copy button. */
export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2) ?? "null";
  return (
    <Box pos="relative">
      <pre className="code" tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Box pos="absolute" top={6} right={6}>
        <CopyButton small text={text} label={`Copy ${label}`} />
      </Box>
    </Box>
  );
}
