import type { ValidationIssue } from "../../values/validation";

/** The parser's message for a text that is not JSON. */
export function jsonError(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The issue of a draft whose JSON text cannot be parsed. */
export const jsonIssue = (text: string): ValidationIssue => ({
  error: "Invalid JSON",
  path: "",
  detail: jsonError(text),
});
