import { Alert, Anchor, List, Text } from "@mantine/core";
import type { WorkflowDocument } from "../../graph/document";
import { ErrorNotice } from "../../components/ErrorNotice";
import { taskAtPath, type ValidationIssue } from "./validation";

const MAX_SHOWN = 12;

interface Props {
  document: WorkflowDocument;
  issues: ValidationIssue[];
  error: unknown;
  onSelect: (taskId: string | null) => void;
}

/** The issues that prevent publishing; each links to its task. */
export function IssueList({ document, issues, error, onSelect }: Props) {
  if (error) {
    return <ErrorNotice error={error} />;
  }
  if (issues.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        Ready to publish.
      </Text>
    );
  }
  return (
    <Alert
      color="red"
      role="status"
      title={
        issues.length === 1
          ? "1 issue to fix before publishing"
          : `${issues.length} issues to fix before publishing`
      }
    >
      <List size="sm" spacing={4}>
        {issues.slice(0, MAX_SHOWN).map((issue) => {
          const task = document.tasks.find((each) => each.id === taskAtPath(document, issue.path ?? ""));
          return (
            <List.Item key={issue.path + issue.detail}>
              <b>{issue.error}</b>
              {task && (
                <>
                  {" in "}
                  <Anchor component="button" type="button" inherit onClick={() => onSelect(task.id)}>
                    {task.name || task.id}
                  </Anchor>
                </>
              )}
              : {issue.detail}
            </List.Item>
          );
        })}
      </List>
      {issues.length > MAX_SHOWN && <Text size="sm">and {issues.length - MAX_SHOWN} more</Text>}
    </Alert>
  );
}
