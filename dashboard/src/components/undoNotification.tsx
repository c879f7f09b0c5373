import { Group, Text } from "@mantine/core";
import { randomId } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { SecondaryButton } from "./variants";

/** Longer than other notifications, because the person may want to act. */
const AUTO_CLOSE_MS = 10_000;

/**
 * Reports an action, with a button that reverses it exactly.
 *
 * @param id names what was changed, so that a later change can withdraw the offer
 */
export function notifyWithUndo(message: string, undo: () => unknown, id: string = randomId()) {
  const onUndo = async () => {
    notifications.hide(id);
    try {
      await undo();
    } catch (error) {
      notifications.show({ color: "red", title: "Couldn’t undo", message: (error as Error).message });
    }
  };
  notifications.hide(id);
  notifications.show({
    id,
    autoClose: AUTO_CLOSE_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <SecondaryButton size="compact-sm" flex="none" onClick={() => void onUndo()}>
          Undo
        </SecondaryButton>
      </Group>
    ),
  });
}

/** Withdraws the offer to undo a change that can no longer be undone. */
export const withdrawUndo = (id: string) => notifications.hide(id);
