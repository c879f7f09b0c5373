import { truncate } from "../../components/truncate";
const MAX_NAME_LENGTH = 200;

export type AgentDocument = Record<string, unknown>;

/** Parses an exported agent. Throws an error with a text for the user. */
export function parseAgent(fileName: string, text: string): AgentDocument {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${fileName} isn’t valid JSON: ${cause instanceof Error ? cause.message : ""}`, {
      cause,
    });
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) {
    throw new Error(`${fileName} must contain a JSON object.`);
  }
  return { ...found };
}

/** The name, with a number if an agent has it already, such as "Claim (2)". */
export function freeName(name: string, taken: string[]): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : ` (${number})`;
    const tried = truncate(name, MAX_NAME_LENGTH - suffix.length) + suffix;
    if (!taken.includes(tried)) {
      return tried;
    }
  }
}
