import { useState } from "react";
import type { Task, WorkflowDocument } from "../../graph/document";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { withParameters, type Parameters } from "./schemaParameters";

/** Fills in a task's parameters from a schema; asks before it removes any that are in use. */
export function useParameterUpdate(
  document: WorkflowDocument,
  onDocument: (document: WorkflowDocument) => void,
) {
  const [asked, setAsked] = useState<{ inUse: string[]; answer: (keep: boolean) => void } | null>(null);
  const apply = (task: Task, next: Parameters, previous: Parameters | null) => {
    const { document: changed, inUse } = withParameters(document, task, next, previous);
    if (inUse.length === 0) {
      onDocument(changed);
      return;
    }
    setAsked({
      inUse,
      answer: (keep) => {
        setAsked(null);
        onDocument(keep ? withParameters(document, task, next, previous, true).document : changed);
      },
    });
  };
  const dialog = (
    <ConfirmDialog
      opened={asked !== null}
      title="Remove parameters that are in use?"
      action="Remove"
      dismissLabel="Keep them"
      onConfirm={() => asked?.answer(false)}
      onClose={() => asked?.answer(true)}
    >
      The schema doesn’t have {asked?.inUse.join(", ")}. Removing also removes connections and values.
    </ConfirmDialog>
  );
  return { apply, dialog };
}
