import {
  IconAlertTriangle,
  IconArrowsSplit2,
  IconClock,
  IconList,
  IconRepeat,
  IconSitemap,
  type Icon,
} from "@tabler/icons-react";
import { PageLink } from "../components/PageLink";
import { formatCount } from "../components/formatNumbers";
import { formatNear } from "../components/Time";
import type { FlowBadge } from "./controlFlow";
import type { TaskRun } from "./TaskNode";
import classes from "./graph.module.css";

const ICONS: Record<FlowBadge["kind"], Icon> = {
  if: IconArrowsSplit2,
  each: IconList,
  repeat: IconRepeat,
  wait: IconClock,
  child: IconSitemap,
};

/** The field of the task that a badge shows. */
const FIELDS: Record<FlowBadge["kind"], string> = {
  if: "when",
  each: "for_each",
  repeat: "repeat",
  wait: "input_parameters",
  child: "tool_name",
};

interface Props {
  badges: readonly FlowBadge[];
  /** The fields of the task with validation issues. */
  issues: readonly string[];
  run?: TaskRun;
}

/** When and how often a task runs; in a run, how far it is. */
export function FlowBadges({ badges, issues, run }: Props) {
  return badges.map(({ kind, text, title }) => {
    const Picture = ICONS[kind];
    const progress = run && progressOf(kind, run);
    const isInvalid = issues.includes(FIELDS[kind]);
    return (
      <div
        key={kind}
        className={classes.badge}
        data-kind={kind}
        data-invalid={isInvalid || undefined}
        title={`${isInvalid ? "Has an issue. " : ""}${progress ? `${title}: ${progress}` : title}`}
      >
        {isInvalid ? (
          <IconAlertTriangle size={14} aria-label="Has an issue" />
        ) : (
          <Picture size={14} aria-hidden />
        )}
        {kind === "child" && run?.child_instance_id ? (
          <ChildLink instance={run.child_instance_id} isOneOfMany={run.items !== undefined} />
        ) : (
          <span>{progress ?? text}</span>
        )}
      </div>
    );
  });
}

/** Leads to the run of the sub-workflow. */
function ChildLink({ instance, isOneOfMany }: { instance: string; isOneOfMany: boolean }) {
  return (
    <PageLink
      to={`runs/${instance}`}
      className="nodrag nopan"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      {isOneOfMany ? "Open latest run" : "Open its run"}
    </PageLink>
  );
}

function progressOf(kind: FlowBadge["kind"], { items, iterations, wait_until }: TaskRun): string | null {
  switch (kind) {
    case "each": {
      const failed = items && items.failed > 0 ? `, ${formatCount(items.failed)} failed` : "";
      return items ? `${formatCount(items.completed)} of ${formatCount(items.total)} items${failed}` : null;
    }
    case "repeat":
      return iterations === undefined ? null : `iteration ${formatCount(iterations)}`;
    case "wait":
      return wait_until === undefined ? null : `until ${formatNear(wait_until)}`;
    default:
      return null;
  }
}
