import { useState } from "react";
import type { InputParameter } from "../../graph/document";

/** The change to another source. Back at a fixed value, the input has the one that it had before. */
export function useSourceChange({ name, source, type, value }: InputParameter) {
  const [last, setLast] = useState({ name, type, value });
  const isNew = name !== last.name || type !== last.type || value !== last.value;
  if (source === "task_config" && isNew) {
    setLast({ name, type, value });
  }
  return (next: string): Partial<InputParameter> => ({
    source: next,
    value: next === "task_config" && last.name === name && last.type === type ? last.value : undefined,
  });
}
