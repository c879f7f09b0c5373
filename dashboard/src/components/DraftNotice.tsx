import { Button, Group } from "@mantine/core";
import { NoticeBar } from "./NoticeBar";
import { SmallButton } from "./variants";
import type { LocalDraft } from "./useLocalDraft";
import { Time } from "./Time";

interface Props<T> {
  draft: LocalDraft<T>;
  onRestore: (value: T) => void;
}

/** Offers the unsaved changes of an earlier visit. */
export function DraftNotice<T>({ draft, onRestore }: Props<T>) {
  const { found } = draft;
  if (!found) {
    return null;
  }
  return (
    <NoticeBar
      text={
        <>
          Unsaved changes from <Time at={new Date(found.at).toISOString()} />
        </>
      }
    >
      <Group gap="xs">
        <Button
          size="xs"
          onClick={() => {
            onRestore(found.value);
            draft.accept();
          }}
        >
          Restore
        </Button>
        <SmallButton onClick={draft.discard}>Discard</SmallButton>
      </Group>
    </NoticeBar>
  );
}
