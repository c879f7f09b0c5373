import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { DimmedXs } from "./variants";
import { CopyButton } from "./CopyButton";

interface TextProps {
  /** For screen readers; the keyboard can scroll the text. */
  label: string;
  children: ReactNode;
}

/** A text in which the spaces count. */
export const CodeText = ({ label, children }: TextProps) => (
  <pre className="code" tabIndex={0} aria-label={label}>
    {children}
  </pre>
);

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
