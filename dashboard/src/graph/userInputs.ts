import { inputsOf, type InputParameter, type WorkflowDocument } from "./document";

/** The inputs that users provide, without duplicates. */
export function userInputsOf(document: WorkflowDocument) {
  const found = new Map<string, InputParameter>();
  for (const task of document.tasks) {
    for (const input of inputsOf(task)) {
      if (input.source === "human_input" && input.data_source !== "DATA_LAKE" && !found.has(input.name)) {
        found.set(input.name, input);
      }
    }
  }
  return [...found.values()].map((input) => ({ ...input, required: input.required ?? false }));
}
