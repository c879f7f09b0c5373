import { createContext, useContext } from "react";
import type { Schemas } from "../api";
import type { WorkflowDocument } from "../graph/document";

type Violation = Schemas["Violation"];

/** A violation, or a warning of the dashboard, which has no code. */
export type ValidationIssue = Omit<Violation, "code"> & Partial<Pick<Violation, "code">>;

/** The validation issues of the draft, for the fields of the forms. */
export const ValidationIssuesContext = createContext<ValidationIssue[]>([]);

/** Returns the issues of a field by its JSON pointer. */
export function useIssuesAt(): (path: string) => string | undefined {
  const issues = useContext(ValidationIssuesContext);
  return (path) => {
    const matching = issues.filter((issue) => issue.path === path);
    return matching.length > 0 ? matching.map((issue) => issue.detail).join(" ") : undefined;
  };
}

/** Whether a field at or below one of the JSON pointers has an issue. */
export function useHasIssuesBelow(paths: readonly string[]): boolean {
  const issues = useContext(ValidationIssuesContext);
  return issues.some(({ path = "" }) => paths.some((each) => path === each || path.startsWith(`${each}/`)));
}

/** The task that an issue belongs to; for connections and dependencies, the task they lead to. */
export function taskAtPath(document: WorkflowDocument, path: string): string | undefined {
  const [, list, index] = path.split("/");
  const at = Number(index);
  switch (list) {
    case "tasks":
      return document.tasks[at]?.id;
    case "connections":
      return document.connections?.[at]?.to.task;
    case "dependencies":
      return document.dependencies?.[at]?.to;
    default:
      return undefined;
  }
}

/** The field of a task that an issue belongs to, such as `when`; empty for the task as a whole and for connections. */
export function fieldAtPath(path: string): string {
  const [, list, , field = ""] = path.split("/");
  return list === "tasks" ? field : "";
}

/** One issue per sentence: a tool that is not chosen lacks three fields. */
export const distinctIssues = (issues: readonly ValidationIssue[]): ValidationIssue[] =>
  issues.filter((issue, index) => issues.findIndex((each) => each.detail === issue.detail) === index);
