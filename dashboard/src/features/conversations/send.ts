import { api, ask } from "../../api/client";
import { store } from "../../api/upload";

/** Sends a text, or a file with the text as its caption: uploaded first, then named in the message. */
export async function send(
  orgId: string,
  conversationId: string,
  text: string,
  file: File | null,
  onProgress: (share: number) => void,
) {
  const uploaded = file && (await store(orgId, file, onProgress));
  return ask(
    api.POST("/dashboard/api/organizations/{orgId}/conversations/{id}/messages", {
      params: { path: { orgId, id: conversationId } },
      body: {
        content: text.trim() === "" ? null : text,
        content_type: uploaded ? file.type : null,
        filename: uploaded?.filename ?? null,
      },
    }),
  );
}
