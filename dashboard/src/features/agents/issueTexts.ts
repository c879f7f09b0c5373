import type { ValidationIssue } from "../../values/validation";

export const quoted = (text: unknown) => `“${String(text)}”`;

export const isMissing = ({ detail }: ValidationIssue) =>
  /(?:is required|must not be blank)(?:,.*)?\.$/.test(detail);

export const isUnknown = ({ detail }: ValidationIssue) =>
  detail.startsWith("There is no ") && !detail.startsWith("There is no field ");

/** The words of a detail that a pattern captures. */
export const captured = ({ detail }: ValidationIssue, pattern: RegExp) =>
  pattern.exec(detail)?.slice(1) ?? null;

export function aboutText(
  issue: ValidationIssue,
  field: string,
  enter = `Enter ${field}.`,
): string | undefined {
  const most = captured(issue, /may have at most ([\d,]+) characters/);
  if (most) {
    return `Shorten ${field} to at most ${most[0]} characters.`;
  }
  if (/must not hold (?:control characters|NUL)/.test(issue.detail)) {
    return `Remove line breaks and control characters from ${field}.`;
  }
  return isMissing(issue) ? enter : undefined;
}

/** A number field, which the form limits to numbers. */
export function aboutNumber(issue: ValidationIssue, field: string): string | undefined {
  const range = captured(issue, /must be (?:an integer|a whole number) from (\d+) to (\d+)/);
  if (range) {
    const [least, most] = range.map((each) => Number(each).toLocaleString("en"));
    return `Set ${field} to a whole number from ${least} to ${most}.`;
  }
  const [bounds] = captured(issue, /must be (a number above .*)\.$/) ?? [];
  return bounds === undefined
    ? isMissing(issue)
      ? `Enter ${field}.`
      : undefined
    : `Set ${field} to ${bounds}.`;
}

/** A condition: empty, too long, or with an error at a place. */
export const aboutCondition = (issue: ValidationIssue, field: string): string | undefined =>
  issue.detail.startsWith("At ") ? `Correct ${field}. ${issue.detail}` : aboutText(issue, field);

/** The name, the type and the description that inputs, outputs and properties have. */
export function aboutMember(
  issue: ValidationIssue,
  what: "input" | "output" | "property",
  name: string | null | undefined,
  index: string,
  owner: string,
  field: string | undefined,
): string | undefined {
  const number = `${what} ${Number(index) + 1}`;
  const member = name ? `the ${what} ${quoted(name)}` : number;
  switch (field) {
    case "name":
      return issue.detail.endsWith(" already.")
        ? `Rename ${number} of ${owner}: the name ${quoted(name ?? "")} is taken.`
        : aboutText(issue, `the name of ${number} of ${owner}`, `Name ${number} of ${owner}.`);
    case "type":
      return isMissing(issue) ? `Choose the type of ${member} of ${owner}.` : undefined;
    case "description":
      return aboutText(issue, `the description of ${member} of ${owner}`, `Describe ${member} of ${owner}.`);
    default:
      return undefined;
  }
}
