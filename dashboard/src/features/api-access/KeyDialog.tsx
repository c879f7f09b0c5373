import { useState } from "react";
import { refetch, useOrganizationId, type Schemas } from "../../api";
import { EntryModal } from "../../components/EntryModal";
import { useDialog } from "../../components/useDialog";
import { DIALOG, useFilters } from "../../components/useFilters";
import { CreatedKey } from "./CreatedKey";
import { NewKeyForm } from "./NewKeyForm";
import { RollKeyForm } from "./RollKeyForm";

/** The address while a new key is shown, so that a reload explains where the key has gone. */
const CREATED = "created-key";

interface Props {
  /** Whether the form for a new key is open. */
  creating: boolean;
  /** The key to roll. */
  rolling: Schemas["ApiKey"] | null;
  onClose: () => void;
}

/** Creates or rolls a key, then shows the new one once. One dialog, so that the focus moves to the copy button. */
export function KeyDialog({ creating, rolling, onClose }: Props) {
  const orgId = useOrganizationId();
  const filters = useFilters();
  const createdDialog = useDialog(CREATED);
  const [created, setCreated] = useState<Schemas["CreatedApiKey"] | null>(null);
  const isInAddress = creating || createdDialog.opened;
  const [wasInAddress, setWasInAddress] = useState(isInAddress);
  if (isInAddress !== wasInAddress) {
    setWasInAddress(isInAddress);
    if (!isInAddress) {
      // Forget the key however the dialog was closed, even by Back.
      setCreated(null);
    }
  }
  // The address changes a moment after the key was created.
  const isCreated = createdDialog.opened || created !== null;
  const onCreated = (key: Schemas["CreatedApiKey"]) => {
    setCreated(key);
    if (creating) {
      filters.set(DIALOG, CREATED, { state: { dialog: CREATED } });
    } else {
      createdDialog.open();
      onClose();
    }
    void refetch(orgId, "api-keys");
  };
  // Also before the address has changed.
  const close = () => {
    setCreated(null);
    createdDialog.close();
    onClose();
  };
  return (
    <EntryModal
      asks={!isCreated}
      opened={creating || rolling !== null || isCreated}
      onClose={close}
      title={
        created
          ? `New API key “${created.name}”`
          : isCreated
            ? "Your new API key"
            : rolling
              ? `Roll “${rolling.name}”`
              : "Create new API key"
      }
      size="lg"
      closeOnClickOutside={!created}
      closeOnEscape={!created}
    >
      {isCreated ? (
        <CreatedKey created={created} onDone={close} />
      ) : rolling ? (
        <RollKeyForm old={rolling} onCreated={onCreated} />
      ) : (
        <NewKeyForm onCreated={onCreated} />
      )}
    </EntryModal>
  );
}
