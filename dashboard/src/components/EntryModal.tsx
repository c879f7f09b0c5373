import { Modal, type ModalProps } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "./ConfirmDialog";
import { useUnsavedChanges } from "./leaveGuard";
import { DIALOG } from "./useFilters";

interface Props extends ModalProps {
  /** Whether closing would lose entries; false for the part of a dialog that shows a result. */
  asks?: boolean;
}

const DIALOG_PARAMS = [DIALOG];

/** A dialog with a form. Escape, the X and Back ask before they discard what was typed. */
export function EntryModal(props: Props) {
  const { asks = true, opened, closeOnEscape = true, onClose, children, ...modal } = props;
  const [typed, setTyped] = useState(false);
  const [asking, setAsking] = useState(false);
  if (!opened && (typed || asking)) {
    setTyped(false);
    setAsking(false);
  }
  useUnsavedChanges(opened && asks && typed, { searchParams: DIALOG_PARAMS, inDialog: true });
  return (
    <>
      <Modal
        closeOnClickOutside={!typed}
        {...modal}
        opened={opened}
        closeOnEscape={closeOnEscape && !asking}
        onClose={() => (asks && typed ? setAsking(true) : onClose())}
      >
        <div onChange={() => setTyped(true)}>{children}</div>
      </Modal>
      {/* Mounted late, so that the Escape that opens it does not close it. */}
      {asking && (
        <ConfirmDialog
          opened
          title="Discard your entries?"
          action="Discard"
          dismissLabel="Keep editing"
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        >
          Your entries haven’t been saved.
        </ConfirmDialog>
      )}
    </>
  );
}
