import { Button, Group } from "@mantine/core";
import { NoticeBar } from "../../components/NoticeBar";
import { SmallButton } from "../../components/variants";
import { ConflictDialog, ChangeNotice } from "../../components/ConflictDialog";
import { DraftNotice } from "../../components/DraftNotice";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { useLocalDraft } from "../../components/useLocalDraft";
import { isSameDocument } from "./draftSaver";
import type { Draft, Saving, UnsavedDraft } from "./useDraftSaving";

interface Props {
  draft: Draft;
  saving: Saving;
  view: string;
  onShowJson: () => void;
}

const isSameDraft = (a: UnsavedDraft, b: UnsavedDraft) =>
  a.brokenJson === b.brokenJson && isSameDocument(a.raw, b.raw);

/** Everything that keeps unsaved changes of an agent: the local draft, the question on leaving, and conflicts. */
export function UnsavedWork({ draft, saving, view, onShowJson }: Props) {
  const { conflict, brokenJson } = saving;
  const local = useLocalDraft(`agent/${saving.workflow.id}`, saving.unsaved, saving.dirty, isSameDraft);
  useUnsavedChanges(saving.dirty, { kept: true, save: saving.saveOnLeaving });
  const { change } = conflict;
  return (
    <>
      <DraftNotice draft={local} onRestore={saving.restore} />
      {change && (
        <ChangeNotice change={change}>
          {saving.dirty ? (
            <SmallButton onClick={conflict.show}>Compare</SmallButton>
          ) : (
            <Button size="xs" onClick={saving.takeTheirs}>
              Show the new version
            </Button>
          )}
        </ChangeNotice>
      )}
      {brokenJson !== null && view !== "json" && (
        <NoticeBar text="Your JSON text has an error, so it isn’t shown here and can’t be saved.">
          <Group gap="xs">
            <Button size="xs" onClick={onShowJson}>
              Edit JSON
            </Button>
            <SmallButton onClick={() => saving.setBrokenJson(null)}>Discard text</SmallButton>
          </Group>
        </NoticeBar>
      )}
      <ConflictDialog
        conflict={conflict}
        texts={(theirs) => ({
          mine: JSON.stringify(draft.raw, null, 2),
          theirs: JSON.stringify(theirs.document, null, 2),
        })}
        onKeepMine={saving.keepMine}
        onTakeTheirs={saving.takeTheirs}
      />
    </>
  );
}
