import { expect, test } from "vitest";
import { LiveTexts, taskKey } from "./liveTexts";

const delta = (message_id: string, index: number, text: string) => ({ message_id, index, text });

test("pieces of a message are joined until it is reset or removed", () => {
  const texts = new LiveTexts();
  texts.apply("message.delta", delta("a", 0, "Good "));
  texts.apply("message.delta", delta("a", 1, "morning"));
  expect(texts.current().get("a")).toBe("Good morning");
  texts.apply("message.delta_reset", { message_id: "a" });
  expect(texts.current().size).toBe(0);
  texts.apply("message.delta", delta("b", 0, "Hello"));
  texts.remove("b");
  expect(texts.current().size).toBe(0);
});

test("a piece without its predecessors is ignored", () => {
  const texts = new LiveTexts();
  texts.apply("message.delta", delta("a", 3, "end"));
  expect(texts.current().size).toBe(0);
});

test("the text of a task begins again with the index 0", () => {
  const texts = new LiveTexts();
  const task = { workflow_instance_id: "run", task_id: "write", attempt: 1 };
  texts.apply("task.delta", { ...task, index: 0, text: "{" });
  texts.apply("task.delta", { ...task, index: 1, text: "x" });
  texts.apply("task.delta", { ...task, index: 0, text: "{}" });
  expect(texts.current().get(taskKey("run", "write"))).toBe("{}");
});

test("subscribers are notified of each change", () => {
  const texts = new LiveTexts();
  let changes = 0;
  const unsubscribe = texts.subscribe(() => changes++);
  texts.apply("message.delta", delta("a", 0, "x"));
  texts.clear();
  unsubscribe();
  texts.apply("message.delta", delta("a", 0, "x"));
  expect(changes).toBe(2);
});
