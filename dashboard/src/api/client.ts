import createClient from "openapi-fetch";
import type { components, paths } from "./schema";
import { ApiError } from "./problem";

export type Schemas = components["schemas"];

/** The typed client. The session is a cookie that no script can read; the browser sends it by itself. */
export const api = createClient<paths>({ credentials: "same-origin" });

/** Awaits a call of the client: its answer, or an {@link ApiError} that says what went wrong. */
export async function ask<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  let answer;
  try {
    answer = await call;
  } catch (cause) {
    throw ApiError.unreachable(cause);
  }
  if (!answer.response.ok) {
    throw ApiError.of(answer.response, answer.error);
  }
  return answer.data as T;
}
