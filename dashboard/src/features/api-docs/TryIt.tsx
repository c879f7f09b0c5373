import { Alert, Button, Group, JsonInput, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay } from "@tabler/icons-react";
import { use, useEffect, useRef, useState, type FormEvent } from "react";
import { SmallButton, DimmedXs, ErrorText } from "../../components/variants";
import { formatDuration } from "../../components/Time";
import { CodeBlock } from "../../components/CodeBlock";
import { formattedJson } from "../../components/json";
import { truncate } from "../../components/truncate";
import { SampleContext } from "./CodeSample";
import { keyOf, type Operation } from "./developerApi";
import { exampleBody } from "./samples";
import { idIn, prepare, valueKey, type Values } from "./tryRequest";

/** Longer responses and streams are cut. */
const MAX_SHOWN = 100_000;

interface Received {
  status: number;
  durationMs: number;
  /** The text so far; a description for a file. */
  text: string;
  isDone: boolean;
}

/** Sends a request of the operation from the page. */
export function TryIt({ operation }: { operation: Operation }) {
  const [opened, form] = useDisclosure(false);
  return (
    <div className="screenOnly">
      <Button
        variant="light"
        size="xs"
        leftSection={<IconPlayerPlay size={14} />}
        aria-expanded={opened}
        aria-label={`Try it: ${operation.summary}`}
        onClick={form.toggle}
      >
        Try it
      </Button>
      {opened && <RequestForm operation={operation} />}
    </div>
  );
}

function RequestForm({ operation }: { operation: Operation }) {
  const samples = use(SampleContext);
  const { key, setKey, workflowId, conversationId, setConversationId } = samples;
  // The page's agent and conversation are used as long as the reader has not typed over them.
  const [typed, setTyped] = useState<Values>({});
  const values: Values = { "path/workflow_id": workflowId, "path/conversation_id": conversationId, ...typed };
  const [typedBody, setTypedBody] = useState<string>();
  const example = exampleBody(operation, samples);
  const body = typedBody ?? (example === undefined ? undefined : JSON.stringify(example, null, 2));
  const [problem, setProblem] = useState<string>();
  const { received, isSending, error, send, stop } = useRequest();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const request = prepare(operation, { key, values, body });
    setProblem(typeof request === "string" ? request : undefined);
    if (typeof request !== "string") {
      void send(request.url, request.init).then((text) => {
        const created = keyOf(operation) === "POST /api/conversations" && idIn(text);
        if (created) {
          setConversationId(created);
        }
      });
    }
  };
  return (
    <form onSubmit={submit} noValidate aria-label={`Request: ${operation.summary}`}>
      <Stack gap="sm" mt="sm">
        {operation.needsKey && (
          <PasswordInput
            label="API key"
            size="xs"
            required
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.currentTarget.value.trim())}
          />
        )}
        {operation.parameters.map((each) => (
          <TextInput
            key={valueKey(each)}
            label={each.name}
            size="xs"
            ff="monospace"
            required={each.required ?? each.in === "path"}
            autoComplete="off"
            spellCheck={false}
            value={values[valueKey(each)] ?? ""}
            onChange={({ currentTarget: { value } }) =>
              setTyped((now) => ({ ...now, [valueKey(each)]: value }))
            }
          />
        ))}
        {(body !== undefined || operation.body) && (
          <JsonInput
            label="Body"
            size="xs"
            autosize
            minRows={3}
            maxRows={14}
            spellCheck={false}
            value={body ?? ""}
            onChange={setTypedBody}
          />
        )}
        {problem && <ErrorText role="alert">{problem}</ErrorText>}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={isSending && !received}>
            Send request
          </Button>
          {isSending && <SmallButton onClick={stop}>Stop</SmallButton>}
          <DimmedXs>
            {operation.method === "POST" ? "A real request with real effects." : "A real request."}
          </DimmedXs>
        </Group>
        {error && (
          <Alert color="red" py="xs">
            {error}
          </Alert>
        )}
        {received && <ResponseView of={received} label={operation.summary} />}
      </Stack>
    </form>
  );
}

/** Sends one request at a time and shows its response while it arrives. */
function useRequest() {
  const [received, setReceived] = useState<Received>();
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const send = async (url: string, init: RequestInit) => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    setReceived(undefined);
    setError(undefined);
    setSending(true);
    let whole = "";
    const start = performance.now();
    try {
      const response = await fetch(url, { ...init, signal: controller.signal });
      await read(response, (text, isDone) => {
        whole = text;
        setReceived({ status: response.status, durationMs: performance.now() - start, text, isDone });
      });
    } catch {
      if (!controller.signal.aborted) {
        setError("The service can’t be reached.");
      }
    } finally {
      if (abort.current === controller) {
        setSending(false);
      }
    }
    return whole;
  };
  return { received, isSending, error, send, stop: () => abort.current?.abort() };
}

/** Reads texts as they arrive; of a file only its type and size. */
async function read(response: Response, onText: (text: string, isDone: boolean) => void) {
  const type = response.headers.get("Content-Type") ?? "";
  if (type !== "" && !/json|text/.test(type)) {
    const { size } = await response.blob();
    onText(`${type}, ${size.toLocaleString()} bytes`, true);
    return;
  }
  let text = "";
  onText(text, false);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    // The parts arrive one after another.
    // oxlint-disable-next-line no-await-in-loop
    const part = await reader?.read();
    if (!part || part.done || text.length > MAX_SHOWN) {
      break;
    }
    text += part.value;
    onText(text, false);
  }
  await reader?.cancel();
  onText(text, true);
}

function ResponseView({ of: { status, durationMs, text, isDone }, label }: { of: Received; label: string }) {
  return (
    <div aria-live="polite">
      <Group gap="xs" mb={6}>
        <span className="status" data-tone={status < 400 ? "good" : "bad"}>
          {status}
        </span>
        <DimmedXs>{isDone ? formatDuration(durationMs) : "Receiving…"}</DimmedXs>
      </Group>
      {text !== "" && (
        <CodeBlock
          code={isDone ? truncate(formattedJson(text), MAX_SHOWN) : text}
          label={`answer: ${label}`}
        />
      )}
    </div>
  );
}
