import { Anchor, List, UnstyledButton } from "@mantine/core";
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconChevronDown,
  IconChevronUp,
  IconCircleCheck,
} from "@tabler/icons-react";
import { useId } from "react";
import { ErrorNotice } from "../../components/ErrorNotice";
import { counted } from "../../components/counted";
import { distinctIssues, type ValidationIssue } from "../../values/validation";
import classes from "./editor.module.css";

interface Props {
  issues: ValidationIssue[];
  warnings: ValidationIssue[];
  error: unknown;
  /** The status while there are no issues. */
  ready: string;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
  /** Opens the form of an issue and moves the focus to its field. */
  onOpen: (issue: ValidationIssue) => void;
}

/** The issues that prevent publishing and the warnings, below the canvas; each leads to its field. */
export function IssueList({ issues, warnings, error, ready, expanded, onExpand, onOpen }: Props) {
  const list = useId();
  const shown = distinctIssues(issues);
  const count = shown.length;
  if (error) {
    return <ErrorNotice error={error} />;
  }
  if (issues.length + warnings.length === 0) {
    return (
      <div className={classes.issues} role="status">
        <div className={classes.issuesHead}>
          <IconCircleCheck size={16} aria-hidden /> {ready}
        </div>
      </div>
    );
  }
  const entry = (issue: ValidationIssue) => (
    <List.Item key={issue.path + issue.detail}>
      {warnings.includes(issue) && count > 0 && "Warning: "}
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onOpen(issue)}>
        {issue.detail}
      </Anchor>
    </List.Item>
  );
  const toFix = count === 1 ? "1 issue to fix before publishing" : `${count} issues to fix before publishing`;
  const toCheck = counted(warnings.length, "warning");
  return (
    <section className={classes.issues} data-tone={count > 0 ? "bad" : "wait"} aria-label="Issues">
      <UnstyledButton
        className={classes.issuesHead}
        aria-expanded={expanded}
        aria-controls={list}
        onClick={() => onExpand(!expanded)}
      >
        {count > 0 ? <IconAlertCircle size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
        <span aria-live="polite">
          {count > 0 ? toFix : ready}
          {warnings.length > 0 && ` · ${toCheck}`}
        </span>
        {expanded ? <IconChevronDown size={16} aria-hidden /> : <IconChevronUp size={16} aria-hidden />}
      </UnstyledButton>
      {expanded && (
        <List id={list} size="sm" spacing={2} className={classes.issuesBody} listStyleType="none">
          {[...shown, ...warnings].map(entry)}
        </List>
      )}
    </section>
  );
}
