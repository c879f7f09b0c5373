import type { Schemas } from "../../api";
import { memberLabel } from "../../components/memberLabel";
import { fileName, withFileNames } from "../../components/fileUris";

type Message = Schemas["Message"];

/** What a chat shows with a message, besides its content. */
export interface ChatEntry {
  message: Message;
  /** The run that the message started. */
  startedRun?: string;
  /** Whether a person stopped the reply to the message. */
  isStopped?: boolean;
  /** Whether it is the last run in the chat, whose steps are shown at once. */
  isLatestRun?: boolean;
  /** The inputs that are still requested by this message. */
  openInputs?: Schemas["TicketFormField"][];
  /** The values in a reply to a form. */
  values?: Record<string, unknown>;
  /** Whether the agent repeats the person's answer that ended the run. */
  repeatsAnswer?: boolean;
  /** The unfinished run that reads the message only when it asks for input, or has ended. */
  waitsFor?: BlockingRun;
}

interface BlockingRun {
  /** The ticket that the run waits for. */
  ticket: string | undefined;
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

export const runOf = (message: Message) => text(message.metadata.workflow_instance_id);
export const runStatusOf = (message: Message) => text(message.metadata.workflow_instance_status);

/** Whether a member of the organization wrote the message in the dashboard. */
export const isByMember = ({ type, created_by }: Message) =>
  type === "USER_INPUT" && created_by.startsWith("user:");

/** The inputs that a message requests. */
export function requestedInputs(message: Message): Schemas["TicketFormField"][] {
  const request = message.metadata.input_request as { inputs?: Schemas["TicketFormField"][] } | undefined;
  return message.type === "INPUT_REQUEST" && Array.isArray(request?.inputs) ? request.inputs : [];
}

/** The values of a JSON reply to a form with these inputs. */
function valuesOf(message: Message, inputs: string[]): Record<string, unknown> | undefined {
  if (!message.content?.startsWith("{")) {
    return undefined;
  }
  try {
    const values = JSON.parse(message.content) as Record<string, unknown>;
    return Object.keys(values).every((name) => inputs.includes(name)) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** The answer to a ticket as a person reads it. Of several values, the service writes a line each. */
function readableAnswer(content: string): string {
  const named = content.includes("\n")
    ? content.replaceAll(/^([a-z]\w*): /gm, (_, name: string) => `${memberLabel(name)}: `)
    : content;
  return named.replaceAll(/(?<=^|^[A-Z][\w ]*: )(true|false)$/gm, (value) =>
    value === "true" ? "Yes" : "No",
  );
}

/** Why a reply was not accepted: the service repeats the request below the reason. */
export function rejectionOf(message: Message): string | undefined {
  const content = message.content ?? "";
  const end = content.lastIndexOf("\n\n'");
  return end > 0 ? content.slice(0, end) : undefined;
}

/**
 * The messages, oldest first, with the runs that they started and the forms that they still ask for. A message that was
 * queued behind a run follows the messages of that run.
 */
export function chatEntries(oldestFirst: Message[]): ChatEntry[] {
  const entries: ChatEntry[] = oldestFirst.map((message) => ({ message }));
  const seen = new Set<string>();
  let inputs: string[] = [];
  let previous: Message | undefined;
  for (const entry of entries) {
    const { message } = entry;
    const run = runOf(message);
    entry.repeatsAnswer = run !== undefined && repeatsAnswer(message, previous);
    previous = message;
    if (run && message.type === "USER_INPUT" && !seen.has(run)) {
      entry.startedRun = run;
    }
    if (run) {
      seen.add(run);
    }
    if (message.type === "USER_INPUT" && inputs.length > 0) {
      entry.values = valuesOf(message, inputs);
    }
    inputs = message.type === "INPUT_REQUEST" ? requestedInputs(message).map(({ name }) => name) : [];
  }
  const latest = entries.findLast((entry) => entry.startedRun);
  if (latest) {
    latest.isLatestRun = true;
  }
  for (const entry of entries.toReversed()) {
    if (entry.message.type === "USER_INPUT") {
      break;
    }
    const requested = requestedInputs(entry.message);
    if (requested.length > 0 && runStatusOf(entry.message) === "PAUSED") {
      entry.openInputs = requested;
    }
  }
  markStopped(entries);
  markWaiting(entries);
  return inProcessingOrder(entries);
}

/** Whether the output of a run is the answer to its last ticket. */
const repeatsAnswer = (message: Message, previous: Message | undefined) =>
  message.type === "AGENT_RESPONSE" &&
  previous?.type === "HUMAN_RESPONSE" &&
  previous.content === message.content &&
  runOf(previous) === runOf(message);

/** Moves queued messages behind the run that they waited for, or still wait for. */
function inProcessingOrder(entries: ChatEntry[]): ChatEntry[] {
  let endOfRuns = -1;
  const positions = new Map<ChatEntry, number>();
  for (const [index, entry] of entries.entries()) {
    const isQueued = entry.startedRun !== undefined && endOfRuns > index;
    positions.set(entry, entry.waitsFor ? entries.length : isQueued ? endOfRuns + 0.5 : index);
    if (entry.startedRun) {
      endOfRuns = entries.findLastIndex(({ message }) => runOf(message) === entry.startedRun);
    }
  }
  return entries.toSorted((one, other) => positions.get(one)! - positions.get(other)!);
}

/** The service's notice that ends a reply that a person stopped. */
const STOPPED = "The reply was stopped.";

/** Marks the messages whose reply was stopped: they were delivered, although they have no answer. */
function markStopped(entries: ChatEntry[]) {
  let last: ChatEntry | undefined;
  for (const entry of entries) {
    if (entry.message.type === "USER_INPUT" && entry.message.status === "FAILED") {
      last = entry;
    } else if (entry.message.type === "SYSTEM" && entry.message.content === STOPPED && last) {
      last.isStopped = true;
    }
  }
}

/** Whether a person's message has no effect yet. */
const isUnread = ({ type, status }: Message) =>
  type === "USER_INPUT" && (status === "RECEIVED" || status === "PROCESSING");

/** Marks the messages that wait for an unfinished run. A reply to its open input request does not wait. */
function markWaiting(entries: ChatEntry[]) {
  // The oldest one is PROCESSING while it waits.
  const waiting = entries.filter(({ message }) => isUnread(message) && !runOf(message));
  const ofRun = entries.findLast(({ message }) => runOf(message) !== undefined)?.message;
  const status = ofRun && runStatusOf(ofRun);
  if (!ofRun || (status !== "RUNNING" && status !== "PAUSED")) {
    return;
  }
  const isReply = status === "PAUSED" && ofRun.type === "INPUT_REQUEST";
  const ticket = status === "PAUSED" ? text(ofRun.metadata.ticket_id) : undefined;
  for (const entry of isReply ? waiting.slice(1) : waiting) {
    entry.waitsFor = { ticket };
  }
}

/** Files that a person sent this shortly after each other belong together. */
const SENDING_MS = 60_000;

/** The entries with the files of one sending in one group, since a message has at most one file. */
export function groupsOf(entries: ChatEntry[]): [ChatEntry, ...ChatEntry[]][] {
  const groups: [ChatEntry, ...ChatEntry[]][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    if (group && continues(group.at(-1)!.message, entry.message)) {
      group.push(entry);
    } else {
      groups.push([entry]);
    }
  }
  return groups;
}

const continues = (before: Message, next: Message) =>
  before.type === "USER_INPUT" &&
  next.type === "USER_INPUT" &&
  Boolean(before.filename) &&
  Boolean(next.filename) &&
  before.created_by === next.created_by &&
  Date.parse(next.created_at) - Date.parse(before.created_at) < SENDING_MS;

/** Whether the newest message of a person is still to be answered, and no run shows its progress. */
export function isAwaitingReply(entries: ChatEntry[]): boolean {
  const last = entries.findLast(({ message }) => message.type === "USER_INPUT")?.message;
  const paused = entries.some(({ message }) => runStatusOf(message) === "PAUSED");
  return last !== undefined && (last.status === "RECEIVED" || last.status === "PROCESSING") && !paused;
}

const ENDED: Record<string, string> = {
  FAILED: "The run failed.",
  CANCELLED: "The run was cancelled.",
  TERMINATED: "The run was terminated.",
};

/** A notice of the service in plain words. */
const plainNotice = (content: string) =>
  content.replace(
    /^The workflow is (FAILED|CANCELLED|TERMINATED)\./,
    (_, status: string) => ENDED[status] ?? "",
  );

/** The first line of a text without the marks of Markdown. */
export function firstLine(content: string | null): string {
  const lines = (content ?? "").split("\n").map((line) =>
    line
      .replace(/^\s*(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|```\w*)\s+/, "")
      .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[*`|]+/g, "")
      .trim(),
  );
  return lines.find((line) => line !== "") ?? "";
}

/** A request for inputs in one line; the service's text also explains how to answer with JSON. */
function plainRequest(content: string): string {
  const task = /^'(.+)' needs /m.exec(content)?.[1];
  const names = [...content.matchAll(/^(?:- |'.+' needs )'(\w+)' \([A-Z_]+\):/gm)].map(([, name]) => name!);
  return task && names.length > 0 ? `${task} needs: ${names.map(memberLabel).join(", ")}` : content;
}

/** A text of the service as a person reads it. */
export function plainText(type: Schemas["MessageType"], content: string): string {
  switch (type) {
    case "SYSTEM":
      return plainNotice(content);
    case "HUMAN_RESPONSE":
      return readableAnswer(content);
    case "INPUT_REQUEST":
      return plainRequest(content);
    default:
      return content;
  }
}

/** A message in one line. */
export const lineOf = (line: Pick<Schemas["MessageLine"], "text" | "filename" | "type">) =>
  withFileNames(firstLine(plainText(line.type, line.text ?? ""))) ||
  (line.filename ? fileName(line.filename) : "");

/** What a conversation is called: by a person, or by its first message; undefined without either. */
export const titleOf = ({
  title,
  first_message: first,
}: Pick<Schemas["ConversationSummary"], "title" | "first_message">): string | undefined =>
  title ?? ((first && lineOf(first)) || undefined);

/** The title of a conversation without an agent and messages. */
const MODEL = "Chat with the model";

/** The title of a conversation without messages: its agent. */
export const untitled = (agent: string | undefined) => agent ?? MODEL;

/** The title of a conversation in a list, the same as that of its page. */
export const titleInList = (conversation: Schemas["ConversationSummary"], agent: string): string =>
  titleOf(conversation) ?? untitled(conversation.workflow_id ? agent : undefined);

/** Characters before a found word, few enough that the word is in view in a narrow list. */
const SNIPPET_LEAD = 20;

/** The text around a found word, in one line, cut into the parts before, in and after the word. */
export function snippetOf(content: string, searched: string): [before: string, found: string, after: string] {
  const named = withFileNames(content);
  const wanted = searched.trim().toLowerCase();
  // The word may be a part of a stored name.
  const line = (named.toLowerCase().includes(wanted) ? named : content)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`|#>]+/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const at = line.toLowerCase().indexOf(wanted);
  if (at < 0) {
    return [line, "", ""];
  }
  const start = at > SNIPPET_LEAD ? line.indexOf(" ", at - SNIPPET_LEAD) + 1 : 0;
  const from = start > at ? at : start;
  const end = at + wanted.length;
  return [(from > 0 ? "…" : "") + line.slice(from, at), line.slice(at, end), line.slice(end)];
}

/** The text of the message that the last answer answers, if it can be sent again: a text, and no reply to a form. */
export function repeatableText(entries: ChatEntry[]): string | undefined {
  const asked = entries.findLast(({ message }) => message.type === "USER_INPUT");
  if (entries.some(({ message }) => runStatusOf(message) === "PAUSED")) {
    // The text would answer the run that waits.
    return undefined;
  }
  return asked && !asked.values && !asked.message.filename ? (asked.message.content ?? undefined) : undefined;
}
