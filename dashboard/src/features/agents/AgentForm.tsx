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
import { AssigneePicker } from "../../parts/AssigneePicker";
import { useFaultAt } from "./faults";

interface Props {
  document: WorkflowDocument;
  onChange: (document: WorkflowDocument) => void;
}

/** What belongs to the agent as a whole: its name, and who is asked when a person is needed or a task fails. */
export function AgentForm({ document, onChange }: Props) {
  const at = useFaultAt();
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
            Who answers tickets and who looks after failures
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
          // Rules have no ids; their place is all there is.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          rule={rule}
          path={`/assignment_rules/${index}`}
          onChange={(changed) => setRules(rules.with(index, changed))}
          onRemove={() => setRules(rules.toSpliced(index, 1))}
        />
      ))}
      <Text size="xs" c="dimmed">
        Click a task in the graph to edit it. Draw from a round point to another to hand a value over, from a
        square to a square for order alone; Delete removes what is chosen.
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
  const at = useFaultAt();
  return (
    <Card withBorder padding="sm">
      <Group align="flex-start" wrap="nowrap">
        <Stack gap="xs" flex={1}>
          <Select
            label="When"
            data={[
              { value: "Human Feedback", label: "A person is needed" },
              { value: "Exception", label: "A task failed" },
            ]}
            allowDeselect={false}
            value={rule.rule_type}
            error={at(`${path}/rule_type`) ?? at(path)}
            onChange={(type) => onChange({ ...rule, rule_type: type as AssignmentRule["rule_type"] })}
          />
          <AssigneePicker
            label="Ask"
            value={rule.assignee_id ? rule : null}
            error={at(`${path}/assignee_id`) ?? at(`${path}/assignment_type`)}
            onChange={(assignee) => onChange({ ...rule, ...assignee })}
          />
        </Stack>
        <ActionIcon variant="subtle" color="gray" aria-label="Remove this rule" onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </Card>
  );
}
