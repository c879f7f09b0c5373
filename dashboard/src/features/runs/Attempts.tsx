import { Accordion, Group, Stack, Text } from "@mantine/core";
import { TextLink } from "../../components/PageLink";
import { useAttempts, type Schemas } from "../../api";
import { CodeText } from "../../components/CodeBlock";
import { useActorName } from "../../components/actorNames";
import { Dimmed, Strong, DimmedXs } from "../../components/variants";
import { CopyButton } from "../../components/CopyButton";
import { QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { formatDuration, Time } from "../../components/Time";
import { formattedJson } from "../../components/json";

type Attempt = Schemas["TaskAttempt"];

/** The attempts of a task with messages, responses, tool calls and cost. */
export function Attempts({ run, task }: { run: Schemas["WorkflowInstance"]; task: Schemas["TaskInstance"] }) {
  const attempts = useAttempts(run, task.id);
  return (
    <QueryBoundary query={attempts}>
      {(found) =>
        found.length === 0 ? (
          <Dimmed>
            {task.kind === "Human" ? "A person handles this task. See its ticket." : "No attempts yet."}
          </Dimmed>
        ) : (
          <Accordion variant="separated" chevronPosition="left" order={3} defaultValue={found.at(-1)!.id}>
            {found.map((attempt) => (
              <Accordion.Item key={attempt.id} value={attempt.id}>
                <Accordion.Control>
                  <Summary of={attempt} />
                </Accordion.Control>
                <Accordion.Panel>
                  <Details attempt={attempt} isErrorShown={isSameError(attempt.error, task.error)} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )
      }
    </QueryBoundary>
  );
}

function Summary({ of: attempt }: { of: Attempt }) {
  const took =
    attempt.started_at && attempt.finished_at
      ? formatDuration(Date.parse(attempt.finished_at) - Date.parse(attempt.started_at))
      : null;
  return (
    <Group gap="xs">
      <Strong>
        Attempt {attempt.attempt}
        {attempt.item !== undefined && ` · item ${attempt.item + 1}`}
      </Strong>
      <StatusLabel status={attempt.status} />
      {took && <DimmedXs>{took}</DimmedXs>}
    </Group>
  );
}

interface DetailsProps {
  attempt: Attempt;
  /** Whether the task shows the same error above. */
  isErrorShown: boolean;
}

function Details({ attempt, isErrorShown }: DetailsProps) {
  return (
    <Stack gap="sm">
      <DimmedXs component="div">
        <Time at={attempt.started_at} seconds none="Start unknown" /> –{" "}
        <Time at={attempt.finished_at} seconds none="in progress" />
        {attempt.model && <> · {attempt.model}</>}
        {attempt.input_tokens + attempt.output_tokens > 0 && (
          <>
            {" "}
            · {formatCount(attempt.input_tokens)} input tokens, {formatCount(attempt.output_tokens)} output
            tokens
          </>
        )}
        {attempt.cost_micros > 0 && <> · cost {formatCost(attempt.cost_micros)}</>}
      </DimmedXs>
      {attempt.error && !isErrorShown && (
        <TextBlock
          title={attempt.error.error}
          text={attempt.error.detail}
          label={`Error of attempt ${attempt.attempt}`}
        />
      )}
      {attempt.messages.map((message, index) => (
        <TextBlock
          // Messages have no IDs and never change.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          // One heading for consecutive messages of a role.
          title={
            message.role === attempt.messages[index - 1]?.role ? "" : (ROLES[message.role] ?? message.role)
          }
          text={message.content}
          label={`Message ${index + 1} of attempt ${attempt.attempt}`}
        />
      ))}
      {attempt.tool_calls.map((call, index) => (
        // Tool calls have no IDs either.
        // oxlint-disable-next-line react/no-array-index-key
        <ToolCall key={index} call={call} number={index + 1} attempt={attempt.attempt} />
      ))}
      {attempt.answer !== null && (
        <TextBlock title="Response" text={attempt.answer} label={`Response of attempt ${attempt.attempt}`} />
      )}
      {attempt.console && (
        <TextBlock title="Console" text={attempt.console} label={`Console of attempt ${attempt.attempt}`} />
      )}
      {attempt.left_out > 0 && (
        <DimmedXs>{attempt.left_out} more messages and tool calls were omitted (too many to store).</DimmedXs>
      )}
    </Stack>
  );
}

interface ShownError {
  error: string;
  detail: string;
}

/** Whether two errors of a run, a task or an attempt say the same. */
export const isSameError = (one: ShownError | null, other: ShownError | null) =>
  one !== null && one.error === other?.error && one.detail === other.detail;

const ROLES: Record<string, string> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
};

interface CallProps {
  call: Schemas["TaskAttemptToolCall"];
  number: number;
  attempt: number;
}

function ToolCall({ call, number, attempt }: CallProps) {
  const nameOf = useActorName();
  return (
    <div>
      <Group gap="xs" mb={4}>
        <Text size="xs" fw={600} component="div">
          Tool{" "}
          {call.tool_id === null ? call.tool : <TextLink to={`tools/${call.tool_id}`}>{call.tool}</TextLink>}
        </Text>
        {call.failed && <StatusLabel status="FAILED" />}
        {call.replayed && <DimmedXs>taken over from an earlier attempt</DimmedXs>}
        <DimmedXs>{formatDuration(call.millis)}</DimmedXs>
      </Group>
      <Stack gap={4}>
        <CodeText label={`Arguments of call ${number} of attempt ${attempt}`}>
          {formattedJson(call.arguments)}
        </CodeText>
        {call.edited && (
          <>
            <DimmedXs>
              {call.edited.by ? nameOf(call.edited.by) : "A person"} edited the arguments
              {call.edited.at && (
                <>
                  , <Time at={call.edited.at} />
                </>
              )}
              . The model requested:
            </DimmedXs>
            <CodeText label={`Requested arguments of call ${number} of attempt ${attempt}`}>
              {formattedJson(call.edited.requested_arguments)}
            </CodeText>
          </>
        )}
        <CodeText label={`Result of call ${number} of attempt ${attempt}`}>
          {formattedJson(call.result)}
        </CodeText>
      </Stack>
    </div>
  );
}

function TextBlock({ title, text, label }: { title: string; text: string; label: string }) {
  return (
    <div>
      <Group justify="space-between" mb={2}>
        <Text size="xs" fw={600}>
          {title}
        </Text>
        <CopyButton small text={text} label={`Copy ${label}`} />
      </Group>
      <CodeText label={label}>{formattedJson(text)}</CodeText>
    </div>
  );
}
