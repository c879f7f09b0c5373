import { Accordion, Anchor, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { Copy } from "../../parts/Copy";
import { Loaded } from "../../parts/Loaded";
import { Status } from "../../parts/Status";
import { duration, Time } from "../../parts/Time";
import { useAttempts } from "./queries";

type Attempt = Schemas["TaskAttempt"];

interface Props {
  orgId: string;
  run: Schemas["WorkflowInstance"];
  task: Schemas["TaskInstance"];
}

/** Each attempt of a task: what was asked, what was answered, which tools were called, and what it cost. */
export function Attempts({ orgId, run, task }: Props) {
  const attempts = useAttempts(orgId, run, task.id);
  return (
    <Loaded query={attempts}>
      {(found) =>
        found.length === 0 ? (
          <Text size="sm" c="dimmed">
            {task.kind === "Human" ? "A person does this task; see its ticket." : "None yet."}
          </Text>
        ) : (
          <Accordion variant="separated" chevronPosition="left" order={3} defaultValue={found.at(-1)!.id}>
            {found.map((attempt) => (
              <Accordion.Item key={attempt.id} value={attempt.id}>
                <Accordion.Control>
                  <Summary of={attempt} />
                </Accordion.Control>
                <Accordion.Panel>
                  <Details orgId={orgId} attempt={attempt} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )
      }
    </Loaded>
  );
}

function Summary({ of: attempt }: { of: Attempt }) {
  const took =
    attempt.started_at && attempt.finished_at
      ? duration(Date.parse(attempt.finished_at) - Date.parse(attempt.started_at))
      : null;
  return (
    <Group gap="xs">
      <Text size="sm" fw={600}>
        Attempt {attempt.attempt}
      </Text>
      <Status of={attempt.status} />
      {took && (
        <Text size="xs" c="dimmed">
          {took}
        </Text>
      )}
    </Group>
  );
}

function Details({ orgId, attempt }: { orgId: string; attempt: Attempt }) {
  return (
    <Stack gap="sm">
      <Text size="xs" c="dimmed" component="div">
        <Time at={attempt.started_at} seconds none="Start unknown" /> –{" "}
        <Time at={attempt.finished_at} seconds none="still under way" />
        {attempt.model && <> · {attempt.model}</>}
        {attempt.input_tokens + attempt.output_tokens > 0 && (
          <>
            {" "}
            · {attempt.input_tokens.toLocaleString()} tokens read, {attempt.output_tokens.toLocaleString()}{" "}
            written
          </>
        )}
        {attempt.cost_micros > 0 && <> · cost {(attempt.cost_micros / 1_000_000).toFixed(4)}</>}
      </Text>
      {attempt.error && (
        <Words
          title={attempt.error.error}
          text={attempt.error.detail}
          label={`Error of attempt ${attempt.attempt}`}
        />
      )}
      {attempt.messages.map((message, index) => (
        <Words
          // What was said has no ids, and is not changed any more.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          title={ROLES[message.role] ?? message.role}
          text={message.content}
          label={`Message ${index + 1} of attempt ${attempt.attempt}`}
        />
      ))}
      {attempt.tool_calls.map((call, index) => (
        // Nor have calls.
        // oxlint-disable-next-line react/no-array-index-key
        <ToolCall key={index} orgId={orgId} call={call} number={index + 1} attempt={attempt.attempt} />
      ))}
      {attempt.answer !== null && (
        <Words title="Answer" text={attempt.answer} label={`Answer of attempt ${attempt.attempt}`} />
      )}
      {attempt.console && (
        <Words title="Console" text={attempt.console} label={`Console of attempt ${attempt.attempt}`} />
      )}
      {attempt.left_out > 0 && (
        <Text size="xs" c="dimmed">
          {attempt.left_out} more messages and calls were not kept, since there were too many.
        </Text>
      )}
    </Stack>
  );
}

const ROLES: Record<string, string> = {
  system: "Instructions to the model",
  user: "Asked",
  assistant: "The model's answer before",
};

interface CallProps {
  orgId: string;
  call: Schemas["TaskAttemptToolCall"];
  number: number;
  attempt: number;
}

function ToolCall({ orgId, call, number, attempt }: CallProps) {
  return (
    <div>
      <Group gap="xs" mb={4}>
        <Text size="xs" fw={600} component="div">
          Tool{" "}
          {call.tool_id === null ? (
            call.tool
          ) : (
            <Anchor component={Link} inherit to={`/organizations/${orgId}/tools/${call.tool_id}`}>
              {call.tool}
            </Anchor>
          )}
        </Text>
        {call.failed && <Status of="FAILED" />}
        <Text size="xs" c="dimmed">
          {duration(call.millis)}
        </Text>
      </Group>
      <Stack gap={4}>
        <pre className="code" tabIndex={0} aria-label={`Arguments of call ${number} of attempt ${attempt}`}>
          {pretty(call.arguments)}
        </pre>
        <pre className="code" tabIndex={0} aria-label={`Result of call ${number} of attempt ${attempt}`}>
          {pretty(call.result)}
        </pre>
      </Stack>
    </div>
  );
}

/** JSON with line breaks; what is no JSON, or cut JSON, as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function Words({ title, text, label }: { title: string; text: string; label: string }) {
  return (
    <div>
      <Group justify="space-between" mb={2}>
        <Text size="xs" fw={600}>
          {title}
        </Text>
        <Copy small text={text} label={`Copy: ${label}`} />
      </Group>
      <pre className="code" tabIndex={0} aria-label={label}>
        {pretty(text)}
      </pre>
    </div>
  );
}
