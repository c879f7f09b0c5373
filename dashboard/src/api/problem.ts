import type { components } from "./schema";

type Problem = components["schemas"]["Problem"];
export type Violation = components["schemas"]["Violation"];

/** An error response of the API; status 0 when there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly title: string;
  readonly violations: Violation[];
  readonly requestId: string | null;
  code: Problem["code"];
  /** The sheets of a refused workbook, of which another may be a table. */
  sheets: readonly string[] = [];
  /** The published agents that prevent a change. */
  workflows: NonNullable<Problem["workflows"]> = [];

  constructor(
    status: number,
    title: string,
    detail: string,
    violations: Violation[],
    requestId: string | null,
    cause?: unknown,
  ) {
    super(detail, { cause });
    this.name = "ApiError";
    this.status = status;
    this.title = title;
    this.violations = violations;
    this.requestId = requestId;
  }

  static of(response: Response, body: unknown): ApiError {
    const problem = (typeof body === "object" && body !== null ? body : {}) as Partial<Problem>;
    const error = new ApiError(
      response.status,
      problem.error ?? "Something went wrong",
      problem.detail ?? `The server returned status ${response.status}.`,
      problem.errors ?? [],
      response.headers.get("X-Request-Id"),
    );
    error.code = problem.code;
    error.sheets = problem.sheets ?? [];
    error.workflows = problem.workflows ?? [];
    return error;
  }

  static unreachable(cause: unknown): ApiError {
    return new ApiError(
      0,
      "Connection problem",
      "We can’t reach Parley. Check your connection and try again.",
      [],
      null,
      cause,
    );
  }

  /** For a change whose resource arrived without its entity tag. */
  static untagged(): ApiError {
    return new ApiError(
      400,
      "Changes can’t be saved here",
      "A proxy between your browser and Parley removes the ETag header, so another person’s changes could be lost. Ask your administrator to let the header through.",
      [],
      null,
    );
  }

  /** Whether a retry may succeed. */
  get transient(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

/** Splits the errors of a request into those at fields of the form and the others. */
export function fieldErrors(error: unknown, fieldPaths: string[] = []) {
  const violations = error instanceof ApiError ? error.violations : [];
  return {
    at: (path: string) => {
      const found = violations.find((violation) => violation.path === path);
      return found && messageOf(found);
    },
    others: violations.filter(
      (violation) => violation.path === undefined || !fieldPaths.includes(violation.path),
    ),
  };
}

/** The errors of a request by form field, such as "credentials.username"; the first one of each. */
export function errorsByField(error: unknown): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const violation of error instanceof ApiError ? error.violations : []) {
    if (violation.path) {
      errors[violation.path.slice(1).replaceAll("/", ".")] ??= messageOf(violation);
    }
  }
  return errors;
}

/** Formats "'/name' is missing." as "Is missing.", because it appears at the field. */
function messageOf({ error, path, detail }: Violation): string {
  if (error === "Missing Required Field") {
    return "Required";
  }
  const subject = `'${path}' `;
  const rest = detail.startsWith(subject) ? detail.slice(subject.length) : detail;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
