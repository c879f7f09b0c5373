import { Modal } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../api";
import { EntryModal } from "../../components/EntryModal";
import { InviteForm } from "./InviteForm";
import { InviteOutcome, NO_ENTRIES, outcomeTitle, type Entries, type Outcome } from "./InviteOutcome";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** Offers a reset link for a person who is a member already. */
  onReset: (member: Schemas["Member"]) => void;
}

export function InviteDialog({ opened, onClose, onReset }: Props) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [initial, setInitial] = useState(NO_ENTRIES);
  if (!opened && (outcome || initial !== NO_ENTRIES)) {
    // Forget the links however the dialog was closed, even by Back.
    setOutcome(null);
    setInitial(NO_ENTRIES);
  }
  const startAgain = (entries: Entries) => {
    setInitial(entries);
    setOutcome(null);
  };
  return (
    <EntryModal
      opened={opened}
      onClose={onClose}
      asks={!outcome}
      title={outcome ? outcomeTitle(outcome) : "Invite members"}
      closeOnClickOutside={false}
    >
      {outcome ? (
        <InviteOutcome outcome={outcome} onDone={onClose} onMore={startAgain} />
      ) : (
        <InviteForm initial={initial} onInvited={setOutcome} onReset={onReset} />
      )}
    </EntryModal>
  );
}

/** Shows the new link after an invitation was sent again. */
export function ReinvitedDialog({
  added,
  onClose,
}: {
  added: Schemas["AddedMember"] | null;
  onClose: () => void;
}) {
  return (
    <Modal opened={added !== null} onClose={onClose} title="Invitation resent" closeOnClickOutside={false}>
      {added && (
        <InviteOutcome outcome={{ added: [added], failed: [], entries: NO_ENTRIES }} onDone={onClose} />
      )}
    </Modal>
  );
}
