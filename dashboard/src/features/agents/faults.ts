import { createContext, useContext } from "react";
import type { Schemas } from "../../api/client";
import type { WorkflowDocument } from "../../graph/document";

export type Fault = Schemas["Fault"];

/** What the validation found, for the fields of the forms. */
export const Faults = createContext<Fault[]>([]);

/** The sentence for a field, by its JSON pointer. */
export function useFaultAt(): (path: string) => string | undefined {
  const faults = useContext(Faults);
  return (path) => {
    const here = faults.filter((fault) => fault.path === path);
    return here.length > 0 ? here.map((fault) => fault.detail).join(" ") : undefined;
  };
}

/** The task that a fault is about: one of its fields, or where a faulty connection or dependency leads. */
export function taskOf(document: WorkflowDocument, path: string): string | undefined {
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
