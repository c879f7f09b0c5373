import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Conflict } from "../api";
import { useActorName } from "./actorNames";
import { lazily } from "./lazily";
import { NoticeBar } from "./NoticeBar";
import { LoadingIndicator } from "./QueryBoundary";
import { formatDateTime } from "./Time";
import { SecondaryButton } from "./variants";

const TextDiff = lazily(() => import("./TextDiff"));

interface Props<T> {
  conflict: Pick<Conflict<T>, "open" | "change" | "theirs" | "close">;
  /** The version of this person and that of the other one as text. */
  texts: (theirs: NonNullable<Conflict<T>["theirs"]>) => { mine: string; theirs: string };
  onKeepMine: (theirs: NonNullable<Conflict<T>["theirs"]>) => void;
  onTakeTheirs: (theirs: NonNullable<Conflict<T>["theirs"]>) => void;
}

/** Shows what another person has saved meanwhile, and asks whose version to keep. */
export function ConflictDialog<T>({ conflict, texts, onKeepMine, onTakeTheirs }: Props<T>) {
  const { open, close, theirs, change } = conflict;
  const nameOf = useActorName();
  const shown = open && theirs && texts(theirs);
  return (
    <Modal
      opened={open && change !== null}
      onClose={close}
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
        {shown ? (
          <TextDiff before={shown.theirs} after={shown.mine} label="Their version compared with yours" />
        ) : (
          <LoadingIndicator />
        )}
        <Group justify="flex-end">
          <SecondaryButton onClick={close}>Decide later</SecondaryButton>
          <SecondaryButton disabled={!theirs} onClick={() => theirs && onTakeTheirs(theirs)}>
            Take theirs
          </SecondaryButton>
          <Button disabled={!theirs} onClick={() => theirs && onKeepMine(theirs)}>
            Keep mine
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The author of a change; the same person may have two windows open. */
export const changedBy = (name: string) => (name === "you" ? "you in another window" : name);

interface NoticeProps {
  change: NonNullable<Conflict<unknown>["change"]>;
  children: ReactNode;
}

/** Says who has changed what the page edits, with a way to see it. */
export function ChangeNotice({ change: { by, at }, children }: NoticeProps) {
  const nameOf = useActorName();
  return (
    <NoticeBar text={`Changed by ${changedBy(nameOf(by))}, ${formatDateTime(at)}.`}>{children}</NoticeBar>
  );
}
