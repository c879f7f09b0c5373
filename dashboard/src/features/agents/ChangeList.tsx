import { Badge, Card, Group, Stack, Text } from "@mantine/core";
import { changesBetween, type Changes, type FieldChange } from "./changes";
import { diffLines, foldUnchanged } from "./diff";
import type { WorkflowDocument } from "../../graph/document";
import classes from "./versions.module.css";
import { capitalized } from "../../components/capitalized";

const BADGES = {
  added: { label: "Added", color: "green.9" },
  removed: { label: "Removed", color: "red.9" },
  changed: { label: "Changed", color: "blue.9" },
} as const;

/** The number of changes as a sentence. */
export function summaryOf({ agent, tasks }: Changes): string {
  const count = (change: keyof typeof BADGES) => {
    const found = tasks.filter((each) => each.change === change).length;
    return found === 0 ? [] : [`${found} ${found === 1 ? "task" : "tasks"} ${change}`];
  };
  const parts = [...count("added"), ...count("changed"), ...count("removed")];
  if (agent.length > 0) {
    parts.push("agent settings changed");
  }
  const text = parts.join(", ");
  return text === "" ? "No differences." : `${capitalized(text)}.`;
}

interface Props {
  before: WorkflowDocument;
  after: WorkflowDocument;
}

/** The changes between two definitions by task, each with its changed fields. */
export function ChangeList({ before, after }: Props) {
  const changes = changesBetween(before, after);
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {summaryOf(changes)}
      </Text>
      {changes.agent.length > 0 && (
        <Change title="Agent" change="changed" fields={changes.agent} opened={changes.tasks.length === 0} />
      )}
      {changes.tasks.map(({ id, name, kind, change, fields }) => (
        <Change
          key={id}
          title={name}
          kind={kind}
          change={change}
          fields={fields}
          opened={change === "changed"}
        />
      ))}
    </Stack>
  );
}

interface ChangeProps {
  title: string;
  kind?: string;
  change: keyof typeof BADGES;
  fields: FieldChange[];
  opened: boolean;
}

function Change({ title, kind, change, fields, opened }: ChangeProps) {
  const { label, color } = BADGES[change];
  return (
    <Card withBorder padding="xs" component="details" open={opened} className={classes.change}>
      <summary>
        <Group gap="xs" component="span" display="inline-flex">
          <Badge size="sm" radius="sm" color={color}>
            {label}
          </Badge>
          <Text span size="sm" fw={600}>
            {title}
          </Text>
          {kind && (
            <Text span size="xs" c="dimmed">
              {kind}
            </Text>
          )}
        </Group>
      </summary>
      <Stack gap="xs" mt="xs">
        {fields.map((field) => (
          <div key={field.label}>
            <Text size="xs" fw={600} c="dimmed">
              {field.label}
            </Text>
            <FieldDifference field={field} />
          </div>
        ))}
      </Stack>
    </Card>
  );
}

const MARKS = { same: "  ", removed: "− ", added: "+ " };

function FieldDifference({ field: { label, before, after } }: { field: FieldChange }) {
  const lines =
    before === null || after === null
      ? (before ?? after ?? "")
          .split("\n")
          .map((text) => ({ kind: before === null ? ("added" as const) : ("removed" as const), text }))
      : foldUnchanged(diffLines(before, after));
  return (
    <pre className={classes.diff} tabIndex={0} aria-label={`Changes of ${label}`}>
      {lines.map((line, index) => (
        // Lines have no IDs.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} data-kind={line.kind}>
          {line.kind === "folded"
            ? `⋯ ${line.count} unchanged ${line.count === 1 ? "line" : "lines"}`
            : MARKS[line.kind] + line.text}
        </div>
      ))}
    </pre>
  );
}
