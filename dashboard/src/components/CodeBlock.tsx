import { Box } from "@mantine/core";
import { DimmedXs } from "./variants";
import { CopyButton } from "./CopyButton";

/** Code with a button to copy it. */
export function CodeBlock({ code, label, title }: { code: string; label: string; title?: string }) {
  return (
    <div>
      {title && (
        <DimmedXs fw={600} mb={4}>
          {title}
        </DimmedXs>
      )}
      <Box pos="relative">
        <pre className="code" tabIndex={0} aria-label={label} style={{ paddingRight: 44 }}>
          {code}
        </pre>
        <Box pos="absolute" top={6} right={6}>
          <CopyButton small text={code} label={`Copy ${label}`} />
        </Box>
      </Box>
    </div>
  );
}
