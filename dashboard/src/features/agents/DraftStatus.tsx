import { Button, Group, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { isConflict } from "../../api/conflict";
import { currentConnection, subscribeConnection, type Connection } from "../../api/connection";
import { useActorName } from "../../api/organization";
import { changedBy } from "../../components/ConflictDialog";
import { formatNear } from "../../components/Time";
import { isTransient } from "./draftSaver";
import type { Saving } from "./useDraftSaving";

/** Whether the draft is saved, and if not, why. Only problems and their end are announced. */
export function DraftStatus({ saving }: { saving: Saving }) {
  const connection = useSyncExternalStore(subscribeConnection, currentConnection);
  const nameOf = useActorName();
  const { conflict, workflow, dirty, error, flush } = saving;
  const by = conflict.theirs ? changedBy(nameOf(conflict.theirs.updated_by)) : "another person";
  const problem = problemOf(saving, connection.state, by);
  return (
    <Group gap={4} wrap="nowrap">
      <Text
        size="xs"
        c={problem === null ? "dimmed" : "var(--mantine-color-error)"}
        role="status"
        aria-live={problem === null && error === null ? "off" : "polite"}
      >
        {problem !== null
          ? `Not saved: ${problem}`
          : dirty
            ? "Saving…"
            : `Draft saved ${formatNear(workflow.updated_at)}`}
      </Text>
      {problem !== null && error !== null && !isConflict(error) && (
        <Button size="compact-xs" variant="subtle" onClick={() => void flush().catch(() => {})}>
          Try again
        </Button>
      )}
    </Group>
  );
}

function problemOf(
  { dirty, error, brokenJson }: Saving,
  connection: Connection["state"],
  author: string,
): string | null {
  if (!dirty) {
    return null;
  }
  if (brokenJson !== null) {
    return "the JSON text has an error";
  }
  if (isConflict(error)) {
    return `changed by ${author}`;
  }
  if (connection !== "ok") {
    return connection === "offline"
      ? "offline, kept in this browser"
      : "Parley can’t be reached, kept in this browser";
  }
  if (error === null) {
    return null;
  }
  return isTransient(error) ? `${error.message} Kept in this browser.` : error.message;
}
