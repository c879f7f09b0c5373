import type { CodeLanguage } from "../../components/declaredNames";
import { keyOf, memberOf } from "../../components/javaScriptNames";

/** The names that new code reads and returns. */
export interface CodeShape {
  inputs: readonly { name: string }[];
  outputs: readonly { name?: string | null; type: string }[];
}

/** Code that runs without changes: it returns its first input as text, and values of the types of other outputs. */
export function starterCode(language: CodeLanguage, { inputs, outputs }: CodeShape): string {
  const [first] = inputs;
  const isPython = language === "python";
  const text =
    first === undefined
      ? '"Hello"'
      : isPython
        ? `str(inputs.get(${JSON.stringify(first.name)}))`
        : `String(inputs${memberOf(first.name)})`;
  const members = outputs.map(({ name, type }) => {
    const key = isPython ? JSON.stringify(name ?? "") : keyOf(name ?? "");
    return `${key}: ${VALUES[type]?.[isPython ? 1 : 0] ?? text}`;
  });
  const result = members.join(", ");
  return isPython
    ? `# Receives the task's inputs by name and returns its outputs by name.
def main(inputs):
    return {${result}}
`
    : `// Receives the task's inputs by name and returns its outputs by name.
export default function main(inputs) {
  return { ${result} };
}
`;
}

/** Values of the types other than text, in JavaScript and in Python. */
const VALUES: Record<string, readonly [string, string]> = {
  INTEGER: ["0", "0"],
  FLOAT: ["0", "0"],
  BOOLEAN: ["true", "True"],
  DATETIME: ["new Date().toISOString()", '"2029-01-31T12:00:00Z"'],
};
