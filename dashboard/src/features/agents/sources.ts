import { optionsOf } from "../../components/optionsOf";
/** Where the value of an input comes from. */
export const SOURCES = optionsOf({
  system_generated: "Another task or the system",
  human_input: "The person who starts the run",
  task_config: "A fixed value",
});

export const DATA_SOURCES = optionsOf({ MEMORY: "Memory", DATA_LAKE: "Rows of a data set" });

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
