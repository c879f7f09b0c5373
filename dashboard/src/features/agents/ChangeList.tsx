import { Card, Group, Stack, Text } from "@mantine/core";
import { Strong, DimmedXs } from "../../components/variants";
import { changesBetween, type Changes, type FieldChange } from "./changes";
import TextDiff from "../../components/TextDiff";
import type { WorkflowDocument } from "../../graph/document";
import classes from "./versions.module.css";
import { capitalized } from "../../components/capitalized";
import { counted } from "../../components/counted";

const BADGES = {
  added: { label: "Added", tone: "good" },
  removed: { label: "Removed", tone: "bad" },
  changed: { label: "Changed", tone: "busy" },
} as const;

/** The number of changes as a sentence. */
export function summaryOf({ agent, tasks }: Changes): string {
  const count = (change: keyof typeof BADGES) => {
    const found = tasks.filter((each) => each.change === change).length;
    return found === 0 ? [] : [`${counted(found, "task")} ${change}`];
  };
  const parts = [...count("added"), ...count("changed"), ...count("removed")];
  if (agent.length > 0) {
    parts.push("agent settings changed");
  }
  const text = parts.join(", ");
  return text === "" ? "No differences." : `${capitalized(text)}.`;
}

/** The changes between two definitions by task, each with its changed fields. */
export function ChangeList({ before, after }: { before: WorkflowDocument; after: WorkflowDocument }) {
  const changes = changesBetween(before, after);
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {summaryOf(changes)}
      </Text>
      {changes.agent.length > 0 && <Change title="Agent" change="changed" fields={changes.agent} opened />}
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
  const { label, tone } = BADGES[change];
  return (
    <Card withBorder padding="xs" component="details" open={opened} className={classes.change}>
      <summary>
        <Group gap="xs" component="span" className={classes.heading}>
          <span className="status" data-tone={tone}>
            {label}
          </span>
          <Strong span>{title}</Strong>
          {kind && <DimmedXs span>{kind}</DimmedXs>}
        </Group>
      </summary>
      <Stack gap="xs" mt="xs">
        {fields.map((field) => (
          <div key={field.label}>
            <DimmedXs fw={600}>{field.label}</DimmedXs>
            <TextDiff before={field.before} after={field.after} label={`Changes of ${field.label}`} />
          </div>
        ))}
      </Stack>
    </Card>
  );
}
