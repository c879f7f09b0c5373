import { useDraftText } from "../../components/useLocalDraft";

/** The note of the next version, which restoring a version suggests. */
export const usePublishNote = (workflowId: string) => useDraftText(`publish-note/${workflowId}`);
