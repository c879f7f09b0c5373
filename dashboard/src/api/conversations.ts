import type { Schemas } from "./client";
import { queryClient } from "./queryClient";
import {
  itemChange,
  organizationKey,
  refetch,
  useOrganizationId,
  useOrganizationQuery,
  usePages,
  useRead,
} from "./hooks";
import { get, patch, post, put, type RequestQuery } from "./requests";

const ONE = "conversations/{conversationId}";

type Query = RequestQuery<"conversation-summaries">;

const findSummaries = async (orgId: string, query: Query, signal?: AbortSignal) =>
  (await get("conversation-summaries", { orgId }, query, signal)).items;

export { findSummaries };

export const useConversation = (id: string) => useRead(ONE, { conversationId: id }, ["conversation", id]);

/** The summaries with these filters; the first page is polled unless a text is searched. */
export const useSummaryPages = (query: Query) =>
  usePages("conversation-summaries", {}, ["conversations", query], {
    query,
    refetchInterval: query.q ? undefined : 15_000,
    idOf: ({ id }) => id,
  });

/** The summary of a conversation; null if there is none. */
export const useSummary = (id: string) =>
  useOrganizationQuery(
    ["conversations", "one", id],
    async (orgId) => (await findSummaries(orgId, { id, limit: 1 }))[0] ?? null,
    // The address may contain something else than an ID.
    { enabled: /^[0-9a-f]{32}$/.test(id) },
  );

/** The ID of the first message with the text; null if there is none. */
export const useFoundMessageId = (id: string, q: string | undefined) =>
  useOrganizationQuery(
    ["conversation", id, "found", q],
    async (orgId) => (await findSummaries(orgId, { id, q, limit: 1 }))[0]?.match?.id ?? null,
    { enabled: q !== undefined, staleTime: Infinity },
  );

/** The latest conversations with an agent. */
export const useLatestSummaries = <T>(
  workflow_id: string | undefined,
  select: (items: Schemas["ConversationSummary"][]) => T,
) =>
  useOrganizationQuery(
    ["conversations", "examples", workflow_id],
    (orgId) => findSummaries(orgId, { workflow_id, limit: 20 }),
    { enabled: workflow_id !== undefined, staleTime: 60_000, select },
  );

/** Starts a conversation with an agent, or with the model if it is null. */
export const createConversation = (orgId: string, workflow_id: string | null) =>
  post(
    "conversations",
    { orgId },
    {
      channel: "API",
      usecase: workflow_id === null ? "DEFAULT" : "WORKFLOW_EXECUTION",
      config: workflow_id === null ? {} : { workflow_id },
    },
  );

const useTitleChange = itemChange(
  (orgId, id: string, { title }: { title: string }) =>
    patch(ONE, { orgId, conversationId: id }, { title: title.trim() || null }),
  "conversations",
);

export function useRenameConversation(id: string, onDone: () => void) {
  const orgId = useOrganizationId();
  return useTitleChange(id, {
    onSuccess: (changed) => {
      queryClient.setQueryData(organizationKey(orgId, "conversation", id), changed);
      onDone();
    },
  });
}

/** Stops the reply that the model is writing. */
export const useStopReply = itemChange((orgId, id: string) =>
  post(`${ONE}/stop`, { orgId, conversationId: id }),
);

/** The messages, newest first. */
export const useMessages = (id: string, refetchInterval: number) =>
  usePages(`${ONE}/messages`, { conversationId: id }, ["conversation", id, "messages"], { refetchInterval });

export const refreshMessages = (orgId: string, id: string) =>
  refetch(orgId, ["conversation", id, "messages"]);

/** A file that the service stores. */
interface UploadedFile {
  type: string;
  filename: string;
}

/** Sends a text, or a file with the text as its caption. */
export const sendMessage = (orgId: string, id: string, text: string, file: UploadedFile | null) =>
  post(
    `${ONE}/messages`,
    { orgId, conversationId: id },
    {
      content: text.trim() === "" ? null : text,
      content_type: file?.type ?? null,
      filename: file?.filename ?? null,
    },
  );

/** Stores which message of a conversation the user has read last. */
export const saveReadPosition = async (orgId: string, id: string, message_id: string) => {
  await put(`${ONE}/read-position`, { orgId, conversationId: id }, { message_id });
  await refetch(orgId, "conversations");
};
