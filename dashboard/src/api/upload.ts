import { api, ask, type Schemas } from "./client";
import { ApiError } from "./problem";

interface SignedUpload {
  method: string;
  upload_url: string;
  headers: Record<string, string>;
}

interface Options {
  /** Told how much of the file is there, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** Sends a file to a signed URL of the service or its S3 store. By XMLHttpRequest: fetch tells no progress. */
export function upload(to: SignedUpload, file: File, { onProgress, signal }: Options = {}): Promise<void> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open(to.method, to.upload_url);
    for (const [name, value] of Object.entries(to.headers)) {
      request.setRequestHeader(name, value);
    }
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress?.(loaded / total));
    request.addEventListener("load", () => {
      if (request.status >= 200 && request.status < 300) {
        done();
      } else {
        fail(ApiError.of(new Response(null, { status: request.status }), readJson(request.responseText)));
      }
    });
    request.addEventListener("error", () => fail(ApiError.unreachable(new Error("The upload broke off."))));
    request.addEventListener("abort", () => fail(new DOMException("Stopped", "AbortError")));
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** The service's own store answers problems as JSON, an S3 store by XML, which nobody reads. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Stores a file for a message or an answer; what the service calls it. */
export async function store(
  orgId: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<Schemas["PresignedUrl"]> {
  const to = await ask(
    api.POST("/dashboard/api/organizations/{orgId}/media/presigned-url", {
      params: { path: { orgId } },
      body: { filename: file.name, content_type: file.type, size: file.size },
    }),
  );
  await upload(to, file, { onProgress });
  return to;
}
