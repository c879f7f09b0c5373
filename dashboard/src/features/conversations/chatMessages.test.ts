import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import {
  chatEntries,
  firstLine,
  lineOf,
  groupsOf,
  isByMember,
  isAwaitingReply,
  plainText,
  rejectionOf,
  repeatableText,
  snippetOf,
  titleOf,
} from "./chatMessages";

const message = (
  type: Schemas["MessageType"],
  content: string,
  metadata: Record<string, unknown> = {},
  status: Schemas["MessageStatus"] = "DELIVERED",
) => ({ id: content, type, content, metadata, status }) as unknown as Schemas["Message"];

const run = (status: string) => ({ workflow_instance_id: "r1", workflow_instance_status: status });
const inputs = [{ name: "days", type: "INTEGER" }];
const request = (status: string) => ({ ...run(status), input_request: { task_id: "t", inputs } });

test("a run appears with the message that started it, not with replies", () => {
  const entries = chatEntries([
    message("USER_INPUT", "Plan it", run("COMPLETED")),
    message("INPUT_REQUEST", "'Plan' needs", request("COMPLETED")),
    message("USER_INPUT", '{"days":"3"}', run("COMPLETED")),
    message("AGENT_RESPONSE", "Done", run("COMPLETED")),
  ]);
  expect(entries.map((entry) => entry.startedRun)).toEqual(["r1", undefined, undefined, undefined]);
  expect(entries[0]?.isLatestRun).toBe(true);
  expect(entries[1]?.openInputs).toBeUndefined();
  expect(entries[2]?.values).toEqual({ days: "3" });
});

test("a form is open until somebody replies", () => {
  const asked = [
    message("USER_INPUT", "Plan it", run("PAUSED")),
    message("INPUT_REQUEST", "'Plan' needs", request("PAUSED")),
  ];
  expect(chatEntries(asked)[1]?.openInputs).toEqual(inputs);
  expect(chatEntries([...asked, message("USER_INPUT", "3")])[1]?.openInputs).toBeUndefined();
});

test("a message waits for an unfinished run, unless it is the reply to its request", () => {
  const started = message("USER_INPUT", "Plan it", run("PAUSED"));
  const queued = message("USER_INPUT", "Any news?", {}, "RECEIVED");
  const waits = (...messages: Schemas["Message"][]) => chatEntries(messages).map((entry) => entry.waitsFor);
  const ticket = message("SYSTEM", "Waiting for a person: Approve", { ...run("PAUSED"), ticket_id: "t1" });
  expect(waits(started, ticket, queued)).toEqual([undefined, undefined, { ticket: "t1" }]);
  expect(waits(started, queued)).toEqual([undefined, { ticket: undefined }]);
  expect(waits(started, { ...queued, status: "PROCESSING" })[1]).toEqual({ ticket: undefined });
  expect(waits(message("USER_INPUT", "Plan it", run("RUNNING")), queued)[1]).toEqual({ ticket: undefined });
  expect(waits(message("USER_INPUT", "Plan it", run("COMPLETED")), queued)[1]).toBeUndefined();
  expect(waits(queued)).toEqual([undefined]);
  const asked = message("INPUT_REQUEST", "'Plan' needs", request("PAUSED"));
  expect(waits(started, asked, queued, queued)).toEqual([
    undefined,
    undefined,
    undefined,
    { ticket: undefined },
  ]);
});

test("a queued message follows the run that it waited for", () => {
  const contents = (...messages: Schemas["Message"][]) =>
    chatEntries(messages).map(({ message: { content } }) => content);
  const second = { workflow_instance_id: "r2", workflow_instance_status: "COMPLETED" };
  const first = message("USER_INPUT", "First", run("COMPLETED"));
  const answer = message("AGENT_RESPONSE", "First answer", run("COMPLETED"));
  expect(
    contents(
      first,
      message("USER_INPUT", "Second", second),
      message("USER_INPUT", "Third", { ...run("COMPLETED"), workflow_instance_id: "r3" }),
      answer,
      message("AGENT_RESPONSE", "Second answer", second),
    ),
  ).toEqual(["First", "First answer", "Second", "Second answer", "Third"]);
  expect(
    contents(
      message("USER_INPUT", "First", run("PAUSED")),
      message("USER_INPUT", "Second", {}, "RECEIVED"),
      message("SYSTEM", "Waiting for a person: Approve", run("PAUSED")),
    ),
  ).toEqual(["First", "Waiting for a person: Approve", "Second"]);
});

test("JSON with other names is a text", () => {
  const entries = chatEntries([
    message("INPUT_REQUEST", "'Plan' needs", request("PAUSED")),
    message("USER_INPUT", '{"other":1}'),
  ]);
  expect(entries[1]?.values).toBeUndefined();
});

test("a reply is awaited until the message is delivered", () => {
  const sent = message("USER_INPUT", "Hi", {}, "RECEIVED");
  expect(isAwaitingReply(chatEntries([sent]))).toBe(true);
  expect(isAwaitingReply(chatEntries([message("USER_INPUT", "Hi")]))).toBe(false);
  expect(isAwaitingReply(chatEntries([message("USER_INPUT", "A", run("PAUSED")), sent]))).toBe(false);
});

test("a message whose reply was stopped has not failed", () => {
  const stopped = message("SYSTEM", "", { notice: { code: "reply_stopped", params: {} } });
  const [first, second] = chatEntries([
    message("USER_INPUT", "A", {}, "FAILED"),
    message("USER_INPUT", "B", {}, "FAILED"),
    stopped,
  ]);
  expect(first?.isStopped).toBeUndefined();
  expect(second?.isStopped).toBe(true);
});

test("messages of the service are shown in plain words, older ones with their text", () => {
  const params = { error: "Time limit", detail: "too slow" };
  const failed = { notice: { code: "instance_failed", params } };
  expect(plainText("SYSTEM", failed, "")).toBe("The run failed. Time limit: too slow");
  expect(plainText("SYSTEM", {}, "The workflow is FAILED.")).toBe("The workflow is FAILED.");
  expect(plainText("USER_INPUT", failed, "Hi")).toBe("Hi");
});

test("a repeated request says why the reply was not accepted", () => {
  const rejection = [{ path: "/days", detail: "The value must be a number." }];
  expect(rejectionOf(message("INPUT_REQUEST", "?", { input_request: { inputs, rejection } }))).toBe(
    "'days': The value must be a number.",
  );
  expect(rejectionOf(message("INPUT_REQUEST", "?", request("PAUSED")))).toBeUndefined();
});

test("the first line has no marks", () => {
  expect(firstLine("\n# **Offer** for `Ada`\ntext")).toBe("Offer for Ada");
  expect(firstLine("- [terms](https://example.com)")).toBe("terms");
  expect(firstLine(null)).toBe("");
});

test("a line has the original names of files", () => {
  const line = (text: string | null, filename: string | null = null) =>
    lineOf({ text, filename, type: "AGENT_RESPONSE", metadata: null });
  expect(line("Read 20261124_235752_minutes.md.")).toBe("Read minutes.md.");
  expect(line("s3://parley/0192/20261124_235752_minutes.md")).toBe("minutes.md");
  expect(line(null, "20261124_235752_minutes.md")).toBe("minutes.md");
});

test("a line says what a run asks for, without the types of the API", () => {
  const line = (metadata: Record<string, unknown> | null, text = "Which invoice?") =>
    lineOf({ text, filename: null, type: "INPUT_REQUEST", metadata });
  const asked = [{ name: "from_city" }, { name: "to" }];
  expect(line({ input_request: { task_name: "Plan", inputs: asked } })).toBe("Plan needs: From city, To");
  expect(line(null)).toBe("Which invoice?");
});

test("a conversation is called by its title, or else by the first line of its first message", () => {
  const first_message = { text: "# Offer\n\nThree pallets", filename: null, type: "USER_INPUT" };
  const of = (title: string | null, first: unknown) => titleOf({ title, first_message: first } as never);
  expect(of(null, first_message)).toBe("Offer");
  expect(of("Pallets", first_message)).toBe("Pallets");
  expect(of(null, null)).toBeUndefined();
});

test("a snippet shows the found word with the words around it", () => {
  const text = `${"many words ".repeat(10)}about **Invoice A-17**\nthat is late`;
  const [before, found, after] = snippetOf(text, "invoice a-17");
  expect(before).toMatch(/^…(many|words) .* about $/);
  expect([found, after]).toEqual(["Invoice A-17", " that is late"]);
  expect(snippetOf("Invoice A-17", "INV")).toEqual(["", "Inv", "oice A-17"]);
  expect(snippetOf("Files: 20261124_235752_a.md", "a.md")).toEqual(["Files: ", "a.md", ""]);
  expect(snippetOf("Files: 20261124_235752_a.md", "235752_a").slice(1)).toEqual(["235752_a", ".md"]);
  expect(snippetOf("file without it", "x.pdf")).toEqual(["file without it", "", ""]);
});

test("a text is sent again, but neither a file nor the answers of a form", () => {
  const answer = message("AGENT_RESPONSE", "Hello");
  const of = (...messages: Schemas["Message"][]) => repeatableText(chatEntries(messages));
  expect(of(message("USER_INPUT", "Hi"), answer)).toBe("Hi");
  expect(of({ ...message("USER_INPUT", "Look"), filename: "a.pdf" }, answer)).toBeUndefined();
  expect(
    of(message("INPUT_REQUEST", "?", request("PAUSED")), message("USER_INPUT", '{"days":1}'), answer),
  ).toBe(undefined);
  expect(of(answer)).toBeUndefined();
  expect(of(message("USER_INPUT", "Hi", run("PAUSED")), message("SYSTEM", "Waiting"))).toBeUndefined();
});

test("members write in the dashboard, customers through API keys", () => {
  const by = (type: Schemas["MessageType"], created_by: string) =>
    isByMember({ ...message(type, "Hi"), created_by });
  expect(by("USER_INPUT", "user:ada")).toBe(true);
  expect(by("USER_INPUT", "api_key:shop")).toBe(false);
  expect(by("HUMAN_RESPONSE", "user:ada")).toBe(false);
});

test("the files of one sending are one group", () => {
  const file = (id: string, second: number, change: Partial<Schemas["Message"]> = {}) => ({
    ...message("USER_INPUT", id),
    filename: `${id}.pdf`,
    created_by: "user:ada",
    created_at: `2030-01-31T12:00:${String(second).padStart(2, "0")}.000Z`,
    ...change,
  });
  const groups = groupsOf(
    chatEntries([
      file("a", 0),
      file("b", 1),
      message("AGENT_RESPONSE", "Both read"),
      file("c", 5),
      file("d", 6, { filename: undefined }),
      file("e", 7),
      file("f", 8, { created_by: "user:bo" }),
      file("g", 8, { created_by: "user:bo", created_at: "2030-01-31T12:30:00.000Z" }),
    ]),
  );
  expect(groups.map((group) => group.map((entry) => entry.message.id).join(""))).toEqual([
    "ab",
    "Both read",
    "c",
    "d",
    "e",
    "f",
    "g",
  ]);
});

test("an answer to a ticket is shown with labels, and text as it was written", () => {
  const answer = (values?: Record<string, unknown>) =>
    plainText("HUMAN_RESPONSE", values ? { values } : {}, "stored");
  expect(answer({ approved: true, refund_reason: "Late: again", items: [1] })).toBe(
    "Approved: Yes\nRefund reason: Late: again\nItems: [1]",
  );
  expect(answer({ approved: false })).toBe("No");
  expect(answer({ note: "it is true" })).toBe("it is true");
  expect(answer()).toBe("stored");
});

test("an agent's output repeats the answer to the last ticket of its run", () => {
  const answer = message("HUMAN_RESPONSE", "booked: true", run("COMPLETED"));
  const repeats = (...messages: Schemas["Message"][]) => chatEntries(messages).at(-1)!.repeated === answer;
  expect(repeats(answer, message("AGENT_RESPONSE", "booked: true", run("COMPLETED")))).toBe(true);
  expect(repeats(answer, message("AGENT_RESPONSE", "Booked for Monday", run("COMPLETED")))).toBe(false);
  expect(repeats(answer, message("AGENT_RESPONSE", "booked: true"))).toBe(false);
  expect(repeats(message("AGENT_RESPONSE", "booked: true", run("COMPLETED")))).toBe(false);
});
