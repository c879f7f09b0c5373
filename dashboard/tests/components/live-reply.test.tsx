import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { at, expectGone, ME, open } from "./app";
import type { Schemas } from "../../src/api/client";

const CONVERSATION = "0192f0c1a2b37c4d8e5f60718293a410";
const RUN = "0192f0c1a2b37c4d8e5f60718293a420";
const QUESTION = "0192f0c1a2b37c4d8e5f60718293a411";
const REPLY = "0192f0c1a2b37c4d8e5f60718293a412";
const NEXT_REPLY = "0192f0c1a2b37c4d8e5f60718293a413";
const LATER_REPLY = "0192f0c1a2b37c4d8e5f60718293a414";
const TIME = "2026-01-01T10:00:00Z";

/** The streams that the page has opened. */
const streams: ScriptedEvents[] = [];

class ScriptedEvents extends EventTarget {
  constructor(readonly url: string) {
    super();
    streams.push(this);
  }

  send(type: string, data: object) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify({ type, timestamp: TIME, data }) }));
  }

  close() {}
}

const message = (id: string, content: string, more: Partial<Schemas["Message"]>) =>
  ({
    id,
    conversation_id: CONVERSATION,
    content,
    content_type: "TEXT",
    type: "USER_INPUT",
    channel: "API",
    status: "PROCESSING",
    metadata: {},
    created_by: `user:${ME.id}`,
    created_at: TIME,
    updated_at: TIME,
    ...more,
  }) satisfies Schemas["Message"];

async function openChat(messages: Schemas["Message"][]) {
  streams.length = 0;
  Object.assign(globalThis, { EventSource: ScriptedEvents });
  await open(at(`conversations/${CONVERSATION}`), {
    [`GET conversations/${CONVERSATION}`]: {
      id: CONVERSATION,
      channel: "API",
      usecase: "DEFAULT",
      config: {},
      metadata: {},
      title: null,
      team_id: null,
      created_by: `user:${ME.id}`,
      created_at: TIME,
    } satisfies Schemas["Conversation"],
    [`GET conversations/${CONVERSATION}/messages`]: () => ({ items: messages, next: null }),
    [`PUT conversations/${CONVERSATION}/read-position`]: {},
  });
  await expect.element(page.getByText("How are you?")).toBeVisible();
  await expect.poll(() => streams.length).toBeGreaterThan(0);
  return streams.at(-1)!;
}

test("the reply is shown as it is written, and the message takes its place", async () => {
  const messages = [message(QUESTION, "How are you?", {})];
  const stream = await openChat(messages);
  await expect.element(page.getByRole("status", { name: "Working on a reply" })).toBeVisible();
  stream.send("message.delta", { message_id: REPLY, index: 0, text: "I am " });
  await expect.element(page.getByText("I am")).toBeVisible();
  await expectGone(page.getByRole("status", { name: "Working on a reply" }));
  await expect.element(page.getByRole("button", { name: "Stop" })).toBeVisible();
  stream.send("message.delta", { message_id: REPLY, index: 1, text: "fine." });
  await expect.element(page.getByText("I am fine.")).toBeVisible();
  expect(page.getByText("I am fine.").element().closest("[aria-live]")?.getAttribute("aria-live")).toBe(
    "off",
  );

  messages[0]!.status = "DELIVERED";
  messages.unshift(
    message(REPLY, "I am fine.", { type: "AGENT_RESPONSE", status: "DELIVERED", created_by: "system" }),
  );
  let missing = 0;
  const chat = page.getByRole("log").element();
  const observer = new MutationObserver(() => {
    missing += chat.textContent.includes("I am fine.") ? 0 : 1;
  });
  observer.observe(chat, { childList: true, subtree: true, characterData: true });
  stream.send("message.created", { id: REPLY });
  await expect.element(page.getByRole("article").getByText("I am fine.")).toBeVisible();
  await expect.poll(() => page.getByText("I am fine.").length).toBe(1);
  expect(missing).toBe(0);
  observer.disconnect();
});

test("a text that became void disappears", async () => {
  const stream = await openChat([message(QUESTION, "How are you?", {})]);
  stream.send("message.delta", { message_id: REPLY, index: 0, text: "Nonsense" });
  await expect.element(page.getByText("Nonsense")).toBeVisible();
  stream.send("message.delta_reset", { message_id: REPLY });
  await expectGone(page.getByText("Nonsense"));
});

test("a text that was never stored disappears with the next reply", async () => {
  const stream = await openChat([
    message(NEXT_REPLY, "I am fine.", { type: "AGENT_RESPONSE", status: "DELIVERED", created_by: "system" }),
    message(QUESTION, "How are you?", {}),
  ]);
  stream.send("message.delta", { message_id: REPLY, index: 0, text: "Lost" });
  stream.send("message.delta", { message_id: LATER_REPLY, index: 0, text: "Fresh" });
  await expect.element(page.getByText("Fresh")).toBeVisible();
  await expectGone(page.getByText("Lost"));
});

test("a connection that was lost begins the texts again", async () => {
  const stream = await openChat([message(QUESTION, "How are you?", {})]);
  stream.send("message.delta", { message_id: REPLY, index: 0, text: "Old" });
  await expect.element(page.getByText("Old")).toBeVisible();
  stream.dispatchEvent(new Event("open"));
  await expectGone(page.getByText("Old"));
  stream.send("task.delta", { workflow_instance_id: RUN, task_id: "write", attempt: 1, index: 0, text: "{" });
  await expect.element(page.getByRole("status", { name: "Working on a reply" })).toBeVisible();
});
