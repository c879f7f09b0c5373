import createClient from "openapi-fetch";
import type { components, paths } from "./schema";
import { recordContact } from "./connection";
import { ApiError } from "./problem";
import { fetchInSession } from "./session";

export type Schemas = components["schemas"];

/** The typed API client. The session is an HttpOnly cookie that the browser sends. */
export const api = createClient<paths>({
  credentials: "same-origin",
  fetch: fetchInSession,
  querySerializer: { array: { style: "form", explode: false } },
});

api.use({
  // Without the tag, a save could silently undo another person's.
  onRequest: ({ request }) => {
    if (request.headers.get("If-Match") === "") {
      throw ApiError.untagged();
    }
  },
  onResponse: ({ response }) => recordContact(response.status),
  onError: ({ error }) => {
    // A cancelled request says nothing about the connection.
    if (!(error instanceof DOMException && error.name === "AbortError")) {
      recordContact(undefined);
    }
  },
});

/** Returns the body of an API call, or throws an {@link ApiError}. */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  let result;
  try {
    result = await call;
  } catch (cause) {
    throw cause instanceof ApiError ? cause : ApiError.unreachable(cause);
  }
  if (!result.response.ok) {
    throw ApiError.of(result.response, result.error);
  }
  return result.data as T;
}
