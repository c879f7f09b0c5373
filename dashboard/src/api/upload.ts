import type { Schemas } from "./client";
import { ApiError } from "./problem";
import { post } from "./requests";

interface PresignedUpload {
  method: string;
  upload_url: string;
  headers: Record<string, string>;
}

interface Options {
  /** Called with the uploaded share, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** The browser refuses to read a file that was changed, moved or deleted after it was chosen. */
export class FileChangedError extends Error {
  constructor(name: string) {
    super(`${name} has changed since you chose it. Choose it again.`);
    this.name = "FileChangedError";
  }
}

/** Throws a FileChangedError if the browser can no longer read the file. */
export async function checkReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new FileChangedError(file.name);
  }
}

/** Uploads a file to a presigned URL. Uses XMLHttpRequest because fetch reports no upload progress. */
export function uploadFile(
  target: PresignedUpload,
  file: File,
  { onProgress, signal }: Options = {},
): Promise<void> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open(target.method, target.upload_url);
    for (const [name, value] of Object.entries(target.headers)) {
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
    request.addEventListener("error", () =>
      checkReadable(file).then(
        () => fail(ApiError.unreachable(new Error("The upload was interrupted."))),
        fail,
      ),
    );
    request.addEventListener("abort", () => fail(new DOMException("Upload cancelled", "AbortError")));
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** Parley's own store reports errors as JSON, S3 as XML, which is ignored. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Uploads a file for a message or a ticket answer. */
export async function storeFile(
  orgId: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<Schemas["PresignedUrl"]> {
  const { name: filename, type: content_type, size } = file;
  const target = await post("media/presigned-url", { orgId }, { filename, content_type, size });
  await uploadFile(target, file, { onProgress });
  return target;
}
