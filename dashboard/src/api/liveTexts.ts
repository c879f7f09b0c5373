import { useSyncExternalStore } from "react";

/** The events of texts that models are writing. They are not stored. */
export const DELTA_TYPES = ["message.delta", "message.delta_reset", "task.delta"];

interface Delta {
  message_id?: string;
  workflow_instance_id?: string;
  task_id?: string;
  /** The index of the item, for a task that runs for each item of a list. */
  item?: number;
  index?: number;
  text?: string;
}

/** Where the text of a run's task is found. */
export const taskKey = (runId: string, taskId: string, item?: number) =>
  [runId, taskId, ...(item === undefined ? [] : [item])].join("/");

/** The texts that models are writing, by the id of their message, or by run and task. Only those who show them render. */
export class LiveTexts {
  private texts: ReadonlyMap<string, string> = new Map();
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = () => this.texts;

  /** Applies an event. A piece with the index 0 begins its text. */
  apply(type: string, { message_id, workflow_instance_id = "", task_id = "", item, ...delta }: Delta) {
    const { index = 0, text = "" } = delta;
    const key = message_id ?? taskKey(workflow_instance_id, task_id, item);
    const before = index === 0 ? "" : this.texts.get(key);
    if (type === "message.delta_reset") {
      this.remove(key);
    } else if (before !== undefined) {
      this.set(new Map(this.texts).set(key, before + text));
    }
  }

  /** Forgets a text, whose message is shown in its place. */
  remove(key: string) {
    if (this.texts.has(key)) {
      const rest = new Map(this.texts);
      rest.delete(key);
      this.set(rest);
    }
  }

  clear() {
    this.set(new Map());
  }

  private set(texts: ReadonlyMap<string, string>) {
    this.texts = texts;
    for (const listener of this.listeners) {
      listener();
    }
  }
}

/** The texts as they are written. */
export const useLiveTexts = (texts: LiveTexts) => useSyncExternalStore(texts.subscribe, texts.current);
