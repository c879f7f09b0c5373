import { Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useHasIssuesBelow } from "../../values/validation";
import classes from "./editor.module.css";

interface Props {
  title: string;
  /** Whether a field inside has a value. */
  hasValues: boolean;
  /** The JSON pointers of the fields inside; the section opens when one of them gets an issue. */
  paths: readonly string[];
  children: ReactNode;
}

/** Fields that most tasks leave empty. The section is folded until one of them has a value or an issue. */
export function FoldedSection({ title, hasValues, paths, children }: Props) {
  const [opened, setOpened] = useState<boolean | null>(null);
  const hasIssues = useHasIssuesBelow(paths);
  return (
    <details
      className={classes.folded}
      aria-label={title}
      open={opened ?? (hasValues || hasIssues)}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary>{title}</summary>
      <Stack gap="sm" pt="xs">
        {children}
      </Stack>
    </details>
  );
}
