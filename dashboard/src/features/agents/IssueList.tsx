import { Anchor, List, UnstyledButton } from "@mantine/core";
import { IconAlertCircle, IconChevronDown, IconChevronUp, IconCircleCheck } from "@tabler/icons-react";
import { useId } from "react";
import type { WorkflowDocument } from "../../graph/document";
import { ErrorNotice } from "../../components/ErrorNotice";
import { distinctIssues, taskAtPath, type ValidationIssue } from "./validation";
import classes from "./editor.module.css";

interface Props {
  document: WorkflowDocument;
  issues: ValidationIssue[];
  error: unknown;
  /** The status while there are no issues. */
  ready: string;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
  /** Opens the form of an issue and moves the focus to its field. */
  onOpen: (issue: ValidationIssue) => void;
}

/** The issues that prevent publishing, below the canvas; each leads to its field. */
export function IssueList({ document, issues, error, ready, expanded, onExpand, onOpen }: Props) {
  const list = useId();
  const shown = distinctIssues(issues);
  const count = shown.length;
  if (error) {
    return <ErrorNotice error={error} />;
  }
  if (issues.length === 0) {
    return (
      <div className={classes.issues} role="status">
        <div className={classes.issuesHead}>
          <IconCircleCheck size={16} aria-hidden /> {ready}
        </div>
      </div>
    );
  }
  return (
    <section className={classes.issues} data-bad aria-label="Issues">
      <UnstyledButton
        className={classes.issuesHead}
        aria-expanded={expanded}
        aria-controls={list}
        onClick={() => onExpand(!expanded)}
      >
        <IconAlertCircle size={16} aria-hidden />
        <span aria-live="polite">
          {count === 1 ? "1 issue to fix before publishing" : `${count} issues to fix before publishing`}
        </span>
        {expanded ? <IconChevronDown size={16} aria-hidden /> : <IconChevronUp size={16} aria-hidden />}
      </UnstyledButton>
      {expanded && (
        <List id={list} size="sm" spacing={2} className={classes.issuesBody} listStyleType="none">
          {shown.map((issue) => {
            const task = document.tasks.find((each) => each.id === taskAtPath(document, issue.path ?? ""));
            return (
              <List.Item key={issue.path + issue.detail}>
                <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onOpen(issue)}>
                  {task ? task.name || task.id : "Agent"}
                </Anchor>
                : {issue.detail}
              </List.Item>
            );
          })}
        </List>
      )}
    </section>
  );
}
