import {
  createDraft,
  organizationKey,
  readPositions,
  readWorkflow,
  savePositions,
  useChange,
  useOrganizationId,
} from "../../api";
import { useGoTo } from "../../components/PageLink";
import { truncate } from "../../components/truncate";

const MAX_NAME_LENGTH = 200;

/** The document with another name. The JSON view allows anything for a document. */
function copyOf(document: unknown, name: string): Record<string, unknown> {
  const copied = typeof document === "object" ? (document as Record<string, unknown>) : {};
  const before = typeof copied.name === "string" && copied.name !== "" ? copied.name : name;
  return { ...copied, name: truncate(`Copy of ${before}`, MAX_NAME_LENGTH) };
}

interface Original {
  id: string;
  /** The document to copy, if it has edits that are not saved. */
  document?: unknown;
}

/** Copies an agent's draft with the layout of its graph, and opens the copy. */
export function useDuplicate() {
  const orgId = useOrganizationId();
  const goTo = useGoTo();
  return useChange({
    send: async ({ id, document }: Original) => {
      const [original, { positions }] = await Promise.all([
        readWorkflow(orgId, id),
        readPositions(orgId, id),
      ]);
      const copy = await createDraft(orgId, copyOf(document ?? original.document, original.name));
      await savePositions(orgId, copy.id, { positions });
      return copy;
    },
    done: ({ name }) => `${name} created.`,
    onSuccess: ({ id }) => goTo(`agents/${id}`),
    outdated: [organizationKey(orgId, "workflows")],
    failed: "Couldn’t duplicate the agent",
  });
}
