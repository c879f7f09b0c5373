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
  /** The person's answer that ended the run, if the agent repeats it. */
  repeated?: Message;
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

/** Metadata of the service's messages; those stored before have only their text. */
interface ServiceMetadata {
  notice?: { code: string; params: Partial<Record<string, string>> };
  input_request?: {
    task_name?: string;
    inputs?: Schemas["TicketFormField"][];
    rejection?: Schemas["Violation"][];
  };
  values?: Record<string, unknown>;
}

/** The inputs that a message requests. */
export function requestedInputs(message: Message): Schemas["TicketFormField"][] {
  const { input_request: request }: ServiceMetadata = message.metadata;
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

/** Why a reply was not accepted, if the message repeats the request. */
export function rejectionOf(message: Message): string | undefined {
  const { input_request: request }: ServiceMetadata = message.metadata;
  return request?.rejection?.map(({ path, detail }) => `'${path.slice(1)}': ${detail}`).join(" ");
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
    if (run && previous && repeatsAnswer(message, previous)) {
      entry.repeated = previous;
    }
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
const repeatsAnswer = (message: Message, previous: Message) =>
  message.type === "AGENT_RESPONSE" &&
  previous.type === "HUMAN_RESPONSE" &&
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

const isStopNotice = ({ type, metadata }: Message) =>
  type === "SYSTEM" && (metadata as ServiceMetadata).notice?.code === "reply_stopped";

/** Marks the messages whose reply was stopped: they were delivered, although they have no answer. */
function markStopped(entries: ChatEntry[]) {
  let last: ChatEntry | undefined;
  for (const entry of entries) {
    if (entry.message.type === "USER_INPUT" && entry.message.status === "FAILED") {
      last = entry;
    } else if (last && isStopNotice(entry.message)) {
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

const ENDED: Partial<Record<string, string>> = {
  instance_failed: "The run failed.",
  instance_cancelled: "The run was cancelled.",
  instance_terminated: "The run was terminated.",
};

/** The end of a run in plain words; undefined for other notices. */
function plainNotice({ notice }: ServiceMetadata): string | undefined {
  const ended = notice && ENDED[notice.code];
  const { error, detail } = notice?.params ?? {};
  return ended && (error === undefined ? ended : `${ended} ${error}: ${detail}`);
}

const valueText = (value: unknown) =>
  typeof value === "boolean"
    ? value
      ? "Yes"
      : "No"
    : typeof value === "string"
      ? value
      : JSON.stringify(value ?? "");

/** The answer to a ticket as a person reads it: a line for each of several values. */
function readableAnswer({ values }: ServiceMetadata): string | undefined {
  const given = Object.entries(values ?? {});
  return values && given.length === 1
    ? valueText(given[0]![1])
    : values && given.map(([name, value]) => `${memberLabel(name)}: ${valueText(value)}`).join("\n");
}

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
function plainRequest({ input_request: request }: ServiceMetadata): string | undefined {
  const { task_name: task, inputs = [] } = request ?? {};
  return task && `${task} needs: ${inputs.map(({ name }) => memberLabel(name)).join(", ")}`;
}

/** Clients may write the same names into the metadata of other messages. */
const PLAIN: Partial<Record<Schemas["MessageType"], (metadata: ServiceMetadata) => string | undefined>> = {
  SYSTEM: plainNotice,
  HUMAN_RESPONSE: readableAnswer,
  INPUT_REQUEST: plainRequest,
};

/** A message of the service as a person reads it: by its data, or else its text. */
export const plainText = (type: Schemas["MessageType"], metadata: ServiceMetadata | null, content: string) =>
  PLAIN[type]?.(metadata ?? {}) ?? content;

/** A message in one line. */
export const lineOf = (line: Pick<Schemas["MessageLine"], "text" | "filename" | "type" | "metadata">) =>
  withFileNames(firstLine(plainText(line.type, line.metadata, line.text ?? ""))) ||
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
