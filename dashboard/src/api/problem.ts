import type { components } from "./schema";

type Problem = components["schemas"]["Problem"];
export type Fault = components["schemas"]["Fault"];

/** An answer that is no success, in the service's one error shape; status 0 where no answer came at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly title: string;
  readonly faults: Fault[];
  readonly requestId: string | null;

  constructor(
    status: number,
    title: string,
    detail: string,
    faults: Fault[],
    requestId: string | null,
    cause?: unknown,
  ) {
    super(detail, { cause });
    this.name = "ApiError";
    this.status = status;
    this.title = title;
    this.faults = faults;
    this.requestId = requestId;
  }

  static of(response: Response, body: unknown): ApiError {
    const problem = (typeof body === "object" && body !== null ? body : {}) as Partial<Problem>;
    return new ApiError(
      response.status,
      problem.error ?? "Something went wrong",
      problem.detail ?? `The service answered with status ${response.status}.`,
      problem.errors ?? [],
      response.headers.get("X-Request-Id"),
    );
  }

  static unreachable(cause: unknown): ApiError {
    return new ApiError(
      0,
      "The service cannot be reached",
      "Check the connection; nothing was lost, and you can try again.",
      [],
      null,
      cause,
    );
  }

  /** Whether asking again may help. */
  get transient(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

/** The faults of an error by field, and those that no field of the form shows. */
export function faultsOf(error: unknown, shown: string[] = []) {
  const faults = error instanceof ApiError ? error.faults : [];
  return {
    at: (path: string) => besideField(faults.find((fault) => fault.path === path)?.detail),
    others: faults.filter((fault) => fault.path === undefined || !shown.includes(fault.path)),
  };
}

/** "'/name' is missing." as "Is missing.": which field it is, people see. */
function besideField(detail: string | undefined): string | undefined {
  const rest = detail?.replace(/^'\/[^']*' /, "");
  return rest && rest.charAt(0).toUpperCase() + rest.slice(1);
}
