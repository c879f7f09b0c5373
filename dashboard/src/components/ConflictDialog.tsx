import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { Change } from "../api";
import { useActorName } from "./actorNames";
import { SecondaryButton } from "./variants";
import { LoadingIndicator } from "./QueryBoundary";
import { formatDateTime } from "./Time";
import { lazily } from "./lazily";

const TextDiff = lazily(() => import("./TextDiff"));

interface Props {
  /** The change of another person; null closes the dialog. */
  change: Change | null;
  /** Both versions as text; null while theirs is loading. */
  texts: { mine: string; theirs: string } | null;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onClose: () => void;
}

/** Shows what another person has saved meanwhile, and asks whose version to keep. */
export function ConflictDialog({ change, texts, onKeepMine, onTakeTheirs, onClose }: Props) {
  const nameOf = useActorName();
  return (
    <Modal
      opened={change !== null}
      onClose={onClose}
      size="xl"
      title={
        change
          ? `Changed by ${changedBy(nameOf(change.by))}, ${formatDateTime(change.at)}`
          : "Changed by another person"
      }
    >
      <Stack>
        <Text size="sm">
          Your changes aren’t saved yet. Compare the two versions (− theirs, + yours), then choose the one to
          keep.
        </Text>
        {texts ? (
          <TextDiff before={texts.theirs} after={texts.mine} label="Their version compared with yours" />
        ) : (
          <LoadingIndicator />
        )}
        <Group justify="flex-end">
          <SecondaryButton onClick={onClose}>Decide later</SecondaryButton>
          <SecondaryButton disabled={!texts} onClick={onTakeTheirs}>
            Take theirs
          </SecondaryButton>
          <Button disabled={!texts} onClick={onKeepMine}>
            Keep mine
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The author of a change; the same person may have two windows open. */
export const changedBy = (name: string) => (name === "you" ? "you in another window" : name);
