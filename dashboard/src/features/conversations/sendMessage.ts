import { api, unwrap } from "../../api/client";
import { storeFile } from "../../api/upload";

/** Sends a text, or uploads a file and sends it with the text as its caption. */
export async function sendMessage(
  orgId: string,
  conversationId: string,
  text: string,
  file: File | null,
  onProgress: (share: number) => void,
) {
  const uploaded = file && (await storeFile(orgId, file, onProgress));
  return unwrap(
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
