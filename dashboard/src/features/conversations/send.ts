import { api, ask } from "../../api/client";
import { ApiError } from "../../api/problem";

/** Sends a text, or a file with the text as its caption: uploaded first, then named in the message. */
export async function send(orgId: string, conversationId: string, text: string, file: File | null) {
  const uploaded = file && (await upload(orgId, file));
  return ask(
    api.POST("/dashboard/api/organizations/{orgId}/conversations/{id}/messages", {
      params: { path: { orgId, id: conversationId } },
      body: {
        content: text.trim() === "" ? null : text,
        content_type: uploaded ? file.type : null,
        filename: uploaded,
        metadata: null,
      },
    }),
  );
}

/** The name by which the service knows the file. */
async function upload(orgId: string, file: File): Promise<string> {
  const to = await ask(
    api.POST("/dashboard/api/organizations/{orgId}/media/presigned-url", {
      params: { path: { orgId } },
      body: { filename: file.name, content_type: file.type, size: file.size },
    }),
  );
  let answer;
  try {
    answer = await fetch(to.upload_url, { method: to.method, headers: to.headers, body: file });
  } catch (cause) {
    throw ApiError.unreachable(cause);
  }
  if (!answer.ok) {
    throw ApiError.of(answer, await answer.json().catch(() => null));
  }
  return to.filename;
}
