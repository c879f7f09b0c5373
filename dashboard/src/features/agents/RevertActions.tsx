import { IconArrowBackUpDouble, IconRotate2 } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { readVersion, useOrganizationId } from "../../api";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { MenuItem } from "../../components/MoreMenu";
import { isSameDocument } from "./draftSaver";
import { isPublished } from "./PublishButton";
import type { Draft, Saving } from "./useDraftSaving";

/** The ways back from edits that have been saved; each is a step that can be undone. */
export function useRevertActions({ draft, saving }: { draft: Draft; saving: Saving }) {
  const orgId = useOrganizationId();
  const [opened] = useState(draft.raw);
  const [confirming, setConfirming] = useState(false);
  const { id, published_version: version } = saving.workflow;
  const revert = useMutation({
    mutationFn: () => readVersion(orgId, id, version!),
    onSuccess: ({ document }) => {
      saving.replace(document);
      setConfirming(false);
    },
  });
  return {
    items: (
      <>
        <MenuItem
          icon={IconArrowBackUpDouble}
          label="Undo all changes since opening"
          disabled={isSameDocument(draft.raw, opened)}
          onClick={() => saving.replace(opened)}
        />
        {version !== null && (
          <MenuItem
            icon={IconRotate2}
            label={`Revert to version ${version}…`}
            disabled={isPublished(saving)}
            onClick={() => setConfirming(true)}
          />
        )}
      </>
    ),
    confirmation: (
      <ConfirmDialog
        opened={confirming}
        title={`Revert to version ${version}?`}
        action="Revert"
        mutation={revert}
        onConfirm={() => revert.mutate()}
        onClose={() => setConfirming(false)}
      >
        The draft becomes the same as version {version}, also for everyone else. Until you leave the page,
        Undo brings your changes back.
      </ConfirmDialog>
    ),
  };
}
