import { Group, Text, Tooltip } from "@mantine/core";
import { TextLink } from "../../components/PageLink";
import { isConflict, useConnection, type Connection } from "../../api";
import { useActorName } from "../../components/actorNames";
import { changedBy } from "../../components/ConflictDialog";
import { formatNear } from "../../components/Time";
import { TextButton } from "../../components/variants";
import { isTransient } from "./draftSaver";
import { isPublished } from "./PublishButton";
import type { Saving } from "./useDraftSaving";

/** The line below the agent's name: its version, and whether the draft is saved. */
export function DraftStatus({ saving }: { saving: Saving }) {
  const { id, published_version: version } = saving.workflow;
  return (
    <Group gap={6} fz="xs" lh={1.3}>
      {version !== null &&
        (isPublished(saving) ? (
          <Text inherit span c="dimmed">
            version {version}
          </Text>
        ) : (
          <Tooltip label={`New runs use version ${version} until you publish.`}>
            <TextLink to={`agents/${id}/versions`}>Draft differs from version {version}</TextLink>
          </Tooltip>
        ))}
      {version !== null && (
        <Text inherit span c="dimmed" aria-hidden>
          ·
        </Text>
      )}
      <SaveStatus saving={saving} />
    </Group>
  );
}

/** Whether the draft is saved, and if not, why. Screen readers announce problems only. */
function SaveStatus({ saving }: { saving: Saving }) {
  const connection = useConnection();
  const nameOf = useActorName();
  const { conflict, workflow, dirty, error, flush } = saving;
  const by = conflict.theirs ? changedBy(nameOf(conflict.theirs.updated_by)) : "another person";
  const problem = problemOf(saving, connection.state, by);
  return (
    <>
      <Text
        inherit
        c={problem === null ? "dimmed" : "var(--mantine-color-error)"}
        role="status"
        aria-live={problem === null ? "off" : "polite"}
      >
        {problem !== null
          ? `Not saved: ${problem}`
          : dirty
            ? "Saving…"
            : `Draft saved ${formatNear(workflow.updated_at)}`}
      </Text>
      {problem !== null && error !== null && !isConflict(error) && (
        <TextButton onClick={() => void flush().catch(() => {})}>Try again</TextButton>
      )}
    </>
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
