import type { Schemas } from "./client";
import type { Tagged } from "./conflict";
import {
  organizationChange,
  refetch,
  useAll,
  useChange,
  useOrganizationId,
  useOrganizationQuery,
  usePages,
  useRead,
} from "./hooks";
import { get, getTagged, post, put, putTagged, remove, type RequestQuery } from "./requests";

const ONE = "workflows/{workflowId}";

type WorkflowName = Schemas["WorkflowName"];
type Document = Record<string, unknown>;

/** An agent with its draft and the draft's tag. */
export type Workflow = Tagged<Schemas["WorkflowWithDraft"]>;

const notArchived = (all: WorkflowName[]) => all.filter((each) => !each.archived);
const byId = (all: WorkflowName[]) => new Map(all.map((each) => [each.id, each.name]));

/** The agents' names come in one response, however many there are. Pass a constant function, whose result is cached. */
const useNamedWorkflows = <T>(select: (all: WorkflowName[]) => T, enabled = true) =>
  useOrganizationQuery(
    ["workflows", "names"],
    async (orgId) => (await get("workflow-names", { orgId })).items,
    { staleTime: 30_000, enabled, select },
  );

/** The agents, newest first, for pickers. */
export const useWorkflows = ({ enabled = true } = {}) => useNamedWorkflows(notArchived, enabled);

/** The names of all agents by ID. Deleted agents are included, because their runs remain. */
export const useWorkflowNames = () => useNamedWorkflows(byId);

export const useAgents = (query: RequestQuery<"workflows">) =>
  usePages("workflows", {}, ["workflows", "pages", query], {
    query: { ...query, include: "latest_runs" },
    refetchInterval: 10_000,
    idOf: ({ id }) => id,
    keepPrevious: true,
  });

export const findAgents = async (orgId: string, search: string) =>
  (await get("workflows", { orgId }, { search, limit: 100 })).items;

export const readWorkflow = (orgId: string, workflowId: string): Promise<Workflow> =>
  getTagged(ONE, { orgId, workflowId });

/** The draft to edit. */
export const useEditedAgent = (workflowId: string) =>
  useOrganizationQuery(["workflow", workflowId], (orgId) => readWorkflow(orgId, workflowId), {
    // A refetch must not replace the document while it is being edited.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: 0,
  });

/** The version that an agent would run now; null if it is not published. */
export const usePublishedVersion = (workflowId: string) =>
  useOrganizationQuery(
    ["workflow", workflowId, "published-version"],
    async (orgId) => (await get(ONE, { orgId, workflowId })).published_version,
  );

/** Creates an agent; its draft may be invalid. */
export const createDraft = (orgId: string, document: Document) =>
  post("workflows", { orgId }, document, { query: { allow_invalid: true } });

interface DraftCreation<V> {
  toDocument: (values: V) => Document | Promise<Document>;
  onCreated: (agent: Schemas["WorkflowWithDraft"]) => void;
}

/** Creates an agent from the values of a form. */
export function useCreateDraft<V>({ toDocument, onCreated }: DraftCreation<V>) {
  const orgId = useOrganizationId();
  return useChange({
    send: async (values: V) => createDraft(orgId, await toDocument(values)),
    onSuccess: async (created) => {
      await refetch(orgId, "workflows");
      onCreated(created);
    },
  });
}

/** Creates and publishes an agent. */
export async function createPublished(orgId: string, document: Document) {
  const { id: workflowId } = await post("workflows", { orgId }, document);
  await post(`${ONE}/publish`, { orgId, workflowId }, { note: null });
}

/** Browsers complete larger requests only while the page is open. */
const MAX_KEEPALIVE_BYTES = 60_000;

export const saveDraft = (
  orgId: string,
  workflowId: string,
  document: unknown,
  etag: string,
): Promise<Workflow> =>
  putTagged(ONE, { orgId, workflowId }, document as Document, {
    query: { allow_invalid: true },
    etag,
    keepalive: new TextEncoder().encode(JSON.stringify(document)).length < MAX_KEEPALIVE_BYTES,
  });

export const publishDraft = (orgId: string, workflowId: string, note: string, etag: string) =>
  post(`${ONE}/publish`, { orgId, workflowId }, { note: note.trim() || null }, { etag });

/** Deletes an agent; without a tag, as it is now. */
export const useDeleteAgent = organizationChange(
  async (orgId, { id: workflowId, etag }: { id: string; etag?: string }) =>
    remove(ONE, { orgId, workflowId }, undefined, {
      etag: etag ?? (await readWorkflow(orgId, workflowId)).etag,
    }),
  "workflows",
);

/** The errors of a draft. */
export const useDraftErrors = (workflowId: string, document: unknown) =>
  useOrganizationQuery(
    ["validation", workflowId, document],
    (orgId) =>
      post("workflows/validate", { orgId }, document as Document, { query: { workflow_id: workflowId } }),
    { placeholderData: (before) => before, gcTime: 0, staleTime: Infinity },
  );

export const startTestRun = (orgId: string, id: string, body: Schemas["TestRunRequest"]) =>
  post("workflows/{workflowId}/test-run", { orgId, workflowId: id }, body, { query: { wait_seconds: 0 } });

export const DRAFT = "draft";

export const useAgentVersions = (workflowId: string) =>
  useAll(`${ONE}/versions`, { workflowId }, ["workflow", workflowId, "versions"]);

/** The saved draft, for the page of versions. */
export const useSavedDraft = (workflowId: string) =>
  useOrganizationQuery(["workflow", workflowId, "draft"], (orgId) => readWorkflow(orgId, workflowId));

export const readVersion = (orgId: string, workflowId: string, version: number) =>
  get(`${ONE}/versions/{version}`, { orgId, workflowId, version });

/** The definition of a version or of the saved draft. */
export const useVersionDocument = (workflowId: string, version: string, enabled = true) =>
  useOrganizationQuery(
    ["workflow", workflowId, "document", version],
    async (orgId): Promise<Document> => {
      const found =
        version === DRAFT
          ? await get(ONE, { orgId, workflowId })
          : await readVersion(orgId, workflowId, Number(version));
      return found.document;
    },
    { enabled, staleTime: version === DRAFT ? 0 : Infinity },
  );

/** The description and the document of an agent, to introduce it. */
export const useIntroduction = <T>(
  workflowId: string | undefined,
  select: (agent: Schemas["WorkflowWithDraft"]) => T,
) =>
  useRead(ONE, { workflowId: workflowId ?? "" }, ["workflows", "introduction", workflowId], {
    enabled: workflowId !== undefined,
    staleTime: 60_000,
    select,
  });

export const useTemplates = () =>
  useRead("workflow-templates", {}, ["workflow-templates"], { staleTime: Infinity });

export const readTemplate = (orgId: string, templateId: string) =>
  get("workflow-templates/{templateId}", { orgId, templateId });

export const useTemplate = (templateId: string) =>
  useOrganizationQuery(["workflow-templates", templateId], (orgId) => readTemplate(orgId, templateId), {
    staleTime: Infinity,
  });

type Positions = Schemas["TaskPositionsRequest"];

export const readPositions = (orgId: string, workflowId: string) =>
  get(`${ONE}/positions`, { orgId, workflowId });

export const savePositions = (orgId: string, workflowId: string, body: Positions) =>
  put(`${ONE}/positions`, { orgId, workflowId }, body);

export type UsedKind = "tool" | "tool_provider" | "code_artifact" | "data_lake" | "team";
export type Usage = Schemas["WorkflowUsage"];

/** The most IDs of one request. */
const MAX_IDS = 100;

/** The agents that use each of these, by ID. */
export const useUsages = (kind: UsedKind, ids: (string | number)[], limit = 20) =>
  useOrganizationQuery(
    ["workflows", "usages", kind, limit, ids.join()],
    async (orgId) => {
      const parts = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, part) =>
        ids.slice(part * MAX_IDS, (part + 1) * MAX_IDS).join(),
      );
      const found = await Promise.all(
        parts.map((part) => get("workflow-references", { orgId }, { kind, ids: part, limit })),
      );
      return new Map(found.flatMap(({ items }) => items.map((usage): [string, Usage] => [usage.id, usage])));
    },
    { enabled: ids.length > 0, placeholderData: (before) => before, refetchOnMount: "always" },
  );

/** The agents that use each row of a list, which names a few of them. */
export const useRowUsages = (kind: UsedKind, ids: (string | number)[]) => useUsages(kind, ids, 3);
