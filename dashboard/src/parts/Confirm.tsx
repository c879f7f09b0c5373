import { Button, Group, Modal, Stack } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import { ErrorNotice } from "./ErrorNotice";

interface Props {
  opened: boolean;
  title: string;
  /** What will happen, and whether it can be taken back. */
  children: ReactNode;
  action: string;
  harmless?: boolean;
  disabled?: boolean;
  /** The mutation that it leads to. */
  sending?: { isPending: boolean; error: unknown; reset: () => void };
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm({
  opened,
  title,
  children,
  action,
  harmless,
  disabled,
  sending,
  onConfirm,
  onClose,
}: Props) {
  const reset = sending?.reset;
  useEffect(() => {
    if (!opened) {
      // What went wrong with one thing is not said of the next.
      reset?.();
    }
  }, [opened, reset]);
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <div>{children}</div>
        <ErrorNotice error={sending?.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button
            color={harmless ? undefined : "red.9"}
            disabled={disabled}
            loading={sending?.isPending}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
