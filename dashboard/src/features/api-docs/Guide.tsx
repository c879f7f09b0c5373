import { Stack, Table, Title } from "@mantine/core";
import { use, type ReactNode } from "react";
import { VerificationCode } from "../webhooks/VerificationCode";
import classes from "./apiDocs.module.css";
import { CodeBlock } from "../../components/CodeBlock";
import { DataTable } from "../../components/DataTable";
import { InlineAnchor } from "../../components/variants";
import { RequestSample, SampleContext } from "./CodeSample";
import { keyOf, OPERATIONS } from "./developerApi";
import { TryIt } from "./TryIt";

const FIRST_CALL = OPERATIONS.find(
  (each) => keyOf(each) === "POST /api/workflows/{workflow_id}/trigger/sync",
)!;

const ERROR = `{
  "error": "Validation failed",
  "detail": "The field '/content_type' is required.",
  "errors": [
    {
      "error": "Missing Required Field",
      "path": "/content_type",
      "detail": "The field '/content_type' is required."
    }
  ]
}`;

const STATUSES = [
  ["400", "A field, parameter or header is missing, unknown or invalid."],
  ["401", "The API key is missing, unknown, expired or revoked."],
  ["403", "The API key is restricted to another agent or team."],
  ["404", "No such route or object, or the key has no access to it."],
  ["409", "The object’s status does not allow the request."],
  ["413", "The body or the file is too large."],
  ["422", "The Idempotency-Key was used with another body."],
  ["429", "A limit is reached. Try again after Retry-After seconds."],
  ["503", "Unavailable; nothing was stored. Try again after Retry-After seconds."],
] as const;

const EVENT = `{
  "type": "message.created",
  "timestamp": "2026-01-31T12:00:00.000Z",
  "data": {
    "id": "0192f0c1c3d47e5f8a718293a4b5c6d7",
    "conversation_id": "0192f0c1b2c37d4e8f60718293a4b5c6",
    "content": "Your order arrives on Tuesday.",
    "sequence": 2
  }
}`;

const STREAM = `id: 0192f0c20718a293b4c5d6e7f8091a2b
event: message.created
data: {"type":"message.created","timestamp":"…","data":{…}}`;

const RATE_LIMIT = `RateLimit-Policy: "messages";q=100;w=60
RateLimit: "messages";r=97;t=12`;

const IDEMPOTENCY = `Idempotency-Key: order-4711-message-1`;

const PAGE = `{
  "items": [ … ],
  "next": "0192f0c1a2b37c4d8e5f60718293a4b5"
}`;

/** The chapters before the operations. */
export const START = [
  { anchor: "authentication", title: "Authentication", words: "api key bearer token header 401 403" },
  { anchor: "first-call", title: "Your first call", words: "quick start run start trigger agent curl" },
  { anchor: "errors", title: "Errors", words: "status codes 400 404 409 422 429 503" },
  { anchor: "retries", title: "Safe retries", words: "idempotency-key timeout" },
  { anchor: "limits", title: "Limits", words: "rate limit 429 size" },
  { anchor: "paging", title: "Paging", words: "pages next after cursor" },
] as const;

/** The chapters after the operations. */
export const EVENTS = [
  { anchor: "webhooks", title: "Webhooks", words: "events callback signature delivery" },
  { anchor: "live-streams", title: "Live streams", words: "server-sent events sse" },
  { anchor: "versioning", title: "Versioning", words: "compatibility changes" },
] as const;

export function StartChapters({ keysPage }: { keysPage: string }) {
  return (
    <>
      <Chapter
        of={START[0]}
        code={
          <CodeBlock
            label="authorization header"
            code={`Authorization: Bearer ${use(SampleContext).key || "sk-…"}`}
            title="Header of each request"
          />
        }
      >
        <p>
          Send your API key as a bearer token. Create keys on the page{" "}
          <InlineAnchor href={keysPage}>API Keys</InlineAnchor> of the dashboard: one per integration, so that
          each can be revoked alone.
        </p>
        <p>
          A key can be restricted to an agent or a team. It then sees only that agent’s runs or that team’s
          conversations; everything else is <code>403</code> or <code>404</code>. Keep keys on your server,
          never in a browser or an app.
        </p>
      </Chapter>
      <Chapter
        of={START[1]}
        code={
          <Stack gap="md">
            <RequestSample operation={FIRST_CALL} />
            <TryIt operation={FIRST_CALL} />
          </Stack>
        }
      >
        <p>
          This request runs an agent and waits for its output. You need an API key and a published agent.
          Enter both above, and the examples use them.
        </p>
        <ul>
          <li>
            <code>human_msg</code> is the message that the agent works on. If the agent has inputs, add{" "}
            <code>inputs</code> with their values by name, such as <code>{'{ "amount": "119.50" }'}</code>.
          </li>
          <li>
            The response is <code>200</code> with <code>output</code> when the run ends or waits for a person
            within 30 seconds, otherwise <code>202</code> with its <code>workflow_instance_id</code>. Poll{" "}
            <InlineAnchor href="#read-the-status-of-a-workflow-instance">its status</InlineAnchor>, follow its{" "}
            <InlineAnchor href="#live-streams">live stream</InlineAnchor>, or get a{" "}
            <InlineAnchor href="#webhooks">webhook</InlineAnchor>.
          </li>
          <li>
            For a chat, <InlineAnchor href="#create-a-conversation">create a conversation</InlineAnchor> and{" "}
            <InlineAnchor href="#send-a-message">send messages</InlineAnchor> to it instead.
          </li>
        </ul>
      </Chapter>
      <Chapter of={START[2]} code={<CodeBlock label="error response" code={ERROR} title="Response 400" />}>
        <p>
          Every error has the same JSON body: <code>error</code> is a short title that never changes for a
          kind of error, <code>detail</code> one sentence, and <code>errors</code> lists all violations at
          once, each with the JSON Pointer of the field. Every response has an <code>X-Request-Id</code>;
          quote it when you ask for help.
        </p>
        <DataTable columns={[{ label: "Status", width: 80 }, "Meaning"]} verticalSpacing={6}>
          {STATUSES.map(([status, meaning]) => (
            <Table.Tr key={status}>
              <Table.Td>{status}</Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      </Chapter>
      <Chapter of={START[3]} code={<CodeBlock label="idempotency header" code={IDEMPOTENCY} />}>
        <p>
          Every POST accepts an <code>Idempotency-Key</code> of 1 to 255 visible ASCII characters. Send the
          same key again after a timeout: within 24 hours the stored response is returned with{" "}
          <code>Idempotent-Replayed: true</code>, and nothing happens twice.
        </p>
        <p>
          An acknowledged message is never lost. Retry <code>429</code> and <code>503</code> after the seconds
          in <code>Retry-After</code>; don’t retry other 4xx responses.
        </p>
      </Chapter>
      <Chapter
        of={START[4]}
        code={<CodeBlock label="rate limit headers" code={RATE_LIMIT} title="Response headers" />}
      >
        <ul>
          <li>
            Messages: 100 per minute and organization by default. The operator may set another limit, for all
            or for one organization. The headers say how many remain (<code>r</code>) and for how many seconds
            (<code>t</code>). Messages sent in the dashboard count, too.
          </li>
          <li>Runs: 200 at once per organization by default. A trigger beyond that is 429; messages wait.</li>
          <li>Bodies: 1 MiB. Message text: 256 KiB. Files: 100 MB by default.</li>
        </ul>
      </Chapter>
      <Chapter of={START[5]} code={<CodeBlock label="page of a list" code={PAGE} />}>
        <p>
          Lists are newest first and return <code>items</code> and <code>next</code>. Send <code>next</code>{" "}
          as <code>after</code> to get the following page; it is null on the last one. <code>limit</code> is 1
          to 100. The messages of a conversation are a plain array, with the next page in the{" "}
          <code>Link</code> header.
        </p>
      </Chapter>
    </>
  );
}

export function EventChapters({ webhooksPage }: { webhooksPage: string }) {
  return (
    <>
      <Chapter
        of={EVENTS[0]}
        code={
          <Stack gap="md">
            <CodeBlock label="event" code={EVENT} title="Body of a webhook" />
            <VerificationCode />
          </Stack>
        }
      >
        <p>
          Parley sends events by POST to the <code>callback_url</code> of a conversation, and to the endpoints
          on the page <InlineAnchor href={webhooksPage}>Webhooks</InlineAnchor>.
        </p>
        <ul>
          <li>
            <code>message.created</code>, <code>message.updated</code>: <code>data</code> is the message.
          </li>
          <li>
            <code>workflow_instance.status_changed</code>: <code>data</code> is the run.
          </li>
          <li>
            <code>ticket.created</code>, <code>ticket.updated</code>: <code>data</code> is the ticket.
          </li>
          <li>
            <code>budget.warned</code>, <code>budget.exceeded</code>: <code>data</code> is the budget.
          </li>
        </ul>
        <p>
          Verify the signature, respond with 2xx within 15 seconds, and process the event afterwards. Delivery
          is at least once: skip a <code>webhook-id</code> that you have processed. Events of one conversation
          arrive in order, counted by <code>data.sequence</code>.
        </p>
        <p>
          An event that is not accepted is sent again after 5 s, 5 min, 30 min, and then for up to 84 hours.
          Later events of the same conversation wait behind it. <code>410</code> stops the endpoint.
        </p>
      </Chapter>
      <Chapter of={EVENTS[1]} code={<CodeBlock label="server-sent event" code={STREAM} />}>
        <p>
          <InlineAnchor href="#stream-the-events-of-a-conversation">A conversation</InlineAnchor> and{" "}
          <InlineAnchor href="#stream-the-events-of-a-workflow-instance">a run</InlineAnchor> can be followed
          as server-sent events with the same types and payloads. Reconnect with <code>Last-Event-ID</code> to
          continue where you stopped; events are kept for 24 hours.
        </p>
      </Chapter>
      <Chapter of={EVENTS[2]}>
        <p>
          Routes below <code>/developer/api</code> are version 1. Fields, values and routes are added, never
          removed or changed, so ignore response fields that you don’t know. The complete{" "}
          <InlineAnchor href="/openapi.json">OpenAPI 3.1 document</InlineAnchor> generates clients; it also
          lists the routes that the dashboard uses.
        </p>
      </Chapter>
    </>
  );
}

interface ChapterProps {
  of: { anchor: string; title: string };
  code?: ReactNode;
  children: ReactNode;
}

function Chapter({ of: { anchor, title }, code, children }: ChapterProps) {
  return (
    <section className={classes.section} id={anchor} aria-labelledby={`${anchor}-title`}>
      <div className={classes.columns}>
        <div className={classes.prose}>
          <Title order={2} size="h3" mb="sm" id={`${anchor}-title`}>
            {title}
          </Title>
          {children}
        </div>
        {code && <div className={classes.code}>{code}</div>}
      </div>
    </section>
  );
}
