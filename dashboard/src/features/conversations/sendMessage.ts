import { api, unwrap } from "../../api/client";

/** A file that the service stores. */
interface UploadedFile {
  type: string;
  filename: string;
}

/** Sends a text, or a file with the text as its caption. */
export function sendMessage(orgId: string, conversationId: string, text: string, file: UploadedFile | null) {
  return unwrap(
    api.POST("/dashboard/api/organizations/{orgId}/conversations/{conversationId}/messages", {
      params: { path: { orgId, conversationId } },
      body: {
        content: text.trim() === "" ? null : text,
        content_type: file?.type ?? null,
        filename: file?.filename ?? null,
      },
    }),
  );
}
