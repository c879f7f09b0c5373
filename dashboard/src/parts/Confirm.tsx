import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorNotice } from "./ErrorNotice";

interface Props {
  opened: boolean;
  title: string;
  /** What will happen, and whether it can be taken back. */
  children: ReactNode;
  action: string;
  harmless?: boolean;
  disabled?: boolean;
  busy: boolean;
  error?: unknown;
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
  busy,
  error,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <div>{children}</div>
        <ErrorNotice error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button
            color={harmless ? undefined : "red.9"}
            disabled={disabled}
            loading={busy}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
