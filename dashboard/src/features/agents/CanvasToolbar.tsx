import { Group, Tooltip } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Panel } from "@xyflow/react";
import { IconButton } from "../../components/IconButton";
import { SmallButton } from "../../components/variants";
import type { TaskKind } from "../../graph/document";
import { KIND_ICONS, TASK_KINDS } from "../../graph/TaskNode";
import { dragKind } from "./kindDrag";
import classes from "./editor.module.css";

interface Props {
  /** On a small canvas, which has no room for the buttons of the kinds. */
  compact: boolean;
  onAdd: (kind: TaskKind) => void;
  onPalette: () => void;
}

/** The buttons that add tasks to the canvas, by a click or by dragging them there. */
export function CanvasToolbar({ compact, onAdd, onPalette }: Props) {
  const search = compact ? "Add a task" : "Add a task by search";
  return (
    <Panel position="top-left">
      <Group gap={6} className={classes.toolbar} role="toolbar" aria-label="Add tasks">
        {!compact &&
          TASK_KINDS.map((kind) => {
            const Picture = KIND_ICONS[kind];
            return (
              <SmallButton
                key={kind}
                px={9}
                leftSection={<Picture size={14} aria-hidden />}
                onClick={() => onAdd(kind)}
                draggable
                onDragStart={(event) => dragKind(event, kind)}
              >
                Add {kind} task
              </SmallButton>
            );
          })}
        <Tooltip label={`${search} (A)`} position="bottom">
          <IconButton icon={IconPlus} label={search} variant="default" size={30} onClick={onPalette} />
        </Tooltip>
      </Group>
    </Panel>
  );
}
