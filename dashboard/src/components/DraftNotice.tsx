import { Alert, Button, Group, Text } from "@mantine/core";
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
    <Alert role="status" color="yellow" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          Unsaved changes from <Time at={new Date(found.at).toISOString()} />
        </Text>
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
          <Button size="xs" variant="default" onClick={draft.discard}>
            Discard
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
