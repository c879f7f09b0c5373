/** Where the value of an input comes from. */
export const SOURCES = [
  { value: "system_generated", label: "Another task or the system" },
  { value: "human_input", label: "Whoever starts the run" },
  { value: "task_config", label: "A fixed value" },
];

export const DATA_SOURCES = [
  { value: "MEMORY", label: "Memory" },
  { value: "DATA_LAKE", label: "Rows of a data set" },
];

const WORDS: Record<string, string> = {
  STRING: "text",
  INTEGER: "a whole number",
  FLOAT: "a number",
  BOOLEAN: "yes or no",
  ARRAY: "a list",
  OBJECT: "an object",
};

/** Why an input does not take an output. */
export function misfit(output: string, isMany: boolean, input: string): string {
  const given = isMany ? "a list" : (WORDS[output] ?? "text");
  return `${given}, the input takes ${input === "ARRAY" && isMany ? "other items" : (WORDS[input] ?? input)}`;
}
