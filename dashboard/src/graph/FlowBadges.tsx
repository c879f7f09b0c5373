import { IconArrowsSplit2, IconClock, IconList, IconRepeat, type Icon } from "@tabler/icons-react";
import { formatCount } from "../components/formatNumbers";
import { formatDateTime } from "../components/Time";
import type { FlowBadge } from "./controlFlow";
import type { TaskRun } from "./TaskNode";
import classes from "./graph.module.css";

const ICONS: Record<FlowBadge["kind"], Icon> = {
  if: IconArrowsSplit2,
  each: IconList,
  repeat: IconRepeat,
  wait: IconClock,
};

interface Props {
  badges: readonly FlowBadge[];
  run?: TaskRun;
}

/** When and how often a task runs; in a run, how far it is. */
export function FlowBadges({ badges, run }: Props) {
  return badges.map(({ kind, text, title }) => {
    const Picture = ICONS[kind];
    const progress = run && progressOf(kind, run);
    return (
      <div
        key={kind}
        className={classes.badge}
        data-kind={kind}
        title={progress ? `${title}: ${progress}` : title}
      >
        <Picture size={14} aria-hidden />
        <span>{progress ?? text}</span>
      </div>
    );
  });
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
      return wait_until === undefined ? null : `until ${formatDateTime(wait_until)}`;
    default:
      return null;
  }
}
