import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import { SecondaryButton } from "./variants";
import { ErrorNotice } from "./ErrorNotice";

interface Props {
  opened: boolean;
  title: string;
  /** The consequences, and whether they can be undone. */
  children: ReactNode;
  action: string;
  /** The label of the button that dismisses the dialog. */
  dismissLabel?: string;
  harmless?: boolean;
  disabled?: boolean;
  /** For a question that may come over another dialog. */
  zIndex?: number;
  /** The mutation that the action starts. */
  mutation?: { isPending: boolean; error: unknown; reset: () => void };
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({
  opened,
  title,
  children,
  action,
  dismissLabel = "Cancel",
  harmless,
  disabled,
  zIndex,
  mutation,
  onConfirm,
  onClose,
}: Props) {
  const reset = mutation?.reset;
  useEffect(() => {
    if (!opened) {
      // The error of one item must not show when the dialog opens for the next.
      reset?.();
    }
  }, [opened, reset]);
  return (
    <Modal opened={opened} onClose={onClose} title={title} zIndex={zIndex}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <ErrorNotice error={mutation?.error} />
        <Group justify="flex-end">
          <SecondaryButton onClick={onClose} data-autofocus>
            {dismissLabel}
          </SecondaryButton>
          <Button
            color={harmless ? undefined : "red.9"}
            disabled={disabled}
            loading={mutation?.isPending}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
