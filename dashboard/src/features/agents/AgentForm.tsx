import {
  ActionIcon,
  Button,
  Card,
  Group,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { AssignmentRule, WorkflowDocument } from "../../graph/document";
import { AssigneePicker } from "../../components/AssigneePicker";
import { useIssuesAt } from "./validation";

interface Props {
  document: WorkflowDocument;
  onChange: (document: WorkflowDocument) => void;
}

/** The agent's name, description and assignment rules. */
export function AgentForm({ document, onChange }: Props) {
  const at = useIssuesAt();
  const rules = document.assignment_rules;
  const setRules = (assignment_rules: AssignmentRule[]) => onChange({ ...document, assignment_rules });
  const add = () =>
    setRules([...rules, { rule_type: "Human Feedback", assignment_type: "User", assignee_id: "" }]);
  return (
    <Stack gap="md">
      <Title order={2} size="h5">
        Agent
      </Title>
      <TextInput
        label="Name"
        required
        value={document.name}
        error={at("/name")}
        onChange={(event) => onChange({ ...document, name: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        value={document.description ?? ""}
        error={at("/description")}
        onChange={(event) => onChange({ ...document, description: event.currentTarget.value })}
      />
      <Group justify="space-between">
        <div>
          <Text fw={600} size="sm">
            Assignment rules
          </Text>
          <Text size="xs" c="dimmed">
            Assign tickets and failed tasks to people or teams
          </Text>
        </div>
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          Add rule
        </Button>
      </Group>
      {at("/assignment_rules") && (
        <Text size="sm" c="var(--mantine-color-error)">
          {at("/assignment_rules")}
        </Text>
      )}
      {rules.map((rule, index) => (
        <RuleCard
          // Rules have no IDs.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          rule={rule}
          path={`/assignment_rules/${index}`}
          onChange={(changed) => setRules(rules.with(index, changed))}
          onRemove={() => setRules(rules.toSpliced(index, 1))}
        />
      ))}
      <Text size="xs" c="dimmed">
        Click a task to edit it. Drag between circles to pass a value; drag between squares to set the order
        only. Press Delete to remove the selection.
      </Text>
    </Stack>
  );
}

interface RuleProps {
  rule: AssignmentRule;
  path: string;
  onChange: (rule: AssignmentRule) => void;
  onRemove: () => void;
}

function RuleCard({ rule, path, onChange, onRemove }: RuleProps) {
  const at = useIssuesAt();
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        <Group align="flex-start" wrap="nowrap" gap="xs">
          <Select
            flex={1}
            label="When"
            data={[
              { value: "Human Feedback", label: "A person is needed" },
              { value: "Exception", label: "A task fails" },
            ]}
            allowDeselect={false}
            value={rule.rule_type}
            error={at(`${path}/rule_type`) ?? at(path)}
            onChange={(type) => onChange({ ...rule, rule_type: type as AssignmentRule["rule_type"] })}
          />
          <ActionIcon variant="subtle" color="gray" aria-label="Remove rule" onClick={onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
        <AssigneePicker
          label="Assign to"
          value={rule.assignee_id ? rule : null}
          error={at(`${path}/assignee_id`) ?? at(`${path}/assignment_type`)}
          onChange={(assignee) => onChange({ ...rule, ...assignee })}
        />
      </Stack>
    </Card>
  );
}
