import { Card, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { CardHeading, Strong, DimmedXs, ErrorText, SmallAddButton } from "../../components/variants";
import type { AssignmentRule, WorkflowDocument } from "../../graph/document";
import { AssigneePicker } from "../../components/AssigneePicker";
import { IconButton } from "../../components/IconButton";
import { optionsOf } from "../../components/optionsOf";
import { useIssuesAt } from "../../values/validation";

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
      <CardHeading>Agent</CardHeading>
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
          <Strong>Assignment rules</Strong>
          <DimmedXs>Assign tickets and failed tasks to people or teams</DimmedXs>
        </div>
        <SmallAddButton onClick={add}>Add rule</SmallAddButton>
      </Group>
      {at("/assignment_rules") && <ErrorText>{at("/assignment_rules")}</ErrorText>}
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
      <DimmedXs>
        Click a task to edit it. Drag between circles to pass a value; drag between squares to set the order
        only. Press Delete to remove the selection.
      </DimmedXs>
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
            data={optionsOf({ "Human Feedback": "A person is needed", Exception: "A task fails" })}
            allowDeselect={false}
            value={rule.rule_type}
            error={at(`${path}/rule_type`) ?? at(path)}
            onChange={(type) => onChange({ ...rule, rule_type: type as AssignmentRule["rule_type"] })}
          />
          <IconButton icon={IconTrash} label="Remove rule" onClick={onRemove} />
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
