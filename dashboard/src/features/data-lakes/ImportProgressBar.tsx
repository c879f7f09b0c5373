import { Progress, Text } from "@mantine/core";

/** `share` is the uploaded share, from 0 to 1. */
export interface ImportProgress {
  importing: boolean;
  share: number;
}

export function ImportProgressBar({ of: { importing, share } }: { of: ImportProgress }) {
  const text = importing ? "Importing…" : `Uploading… ${Math.round(100 * share)}%`;
  return (
    <div className="slow">
      <Text size="sm" mb={4} role="status">
        {text}
      </Text>
      <Progress value={100 * share} animated={importing} aria-label="Upload progress" />
    </div>
  );
}
