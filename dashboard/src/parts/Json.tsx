import { Box } from "@mantine/core";
import { Copy } from "./Copy";

/** Any JSON value, readable, with a button that copies it. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2) ?? "null";
  return (
    <Box pos="relative">
      <pre className="code" tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Box pos="absolute" top={6} right={6}>
        <Copy small text={text} label={`Copy ${label}`} />
      </Box>
    </Box>
  );
}
