import { ActionIcon, Button, Group, Stack, Tooltip } from "@mantine/core";
import { IconLayoutGrid, IconNote, IconPlus, IconSearch, type Icon } from "@tabler/icons-react";
import { Panel } from "@xyflow/react";
import type { TaskKind } from "../../graph/document";
import { KIND_ICONS, TASK_KINDS } from "../../graph/TaskNode";
import classes from "./editor.module.css";

interface Props {
  canTidy: boolean;
  /** On a small canvas, where the buttons of the kinds would cover tasks. */
  compact: boolean;
  onAdd: (kind: TaskKind) => void;
  onPalette: () => void;
  onFind: () => void;
  onAddNote: () => void;
  onTidy: () => void;
}

/** The buttons on the canvas. */
export function CanvasToolbar({ canTidy, compact, onAdd, onPalette, onFind, onAddNote, onTidy }: Props) {
  return (
    <>
      {!compact && (
        <Panel position="top-left">
          <Group gap={6} className={classes.toolbar} role="toolbar" aria-label="Add tasks">
            {TASK_KINDS.map((kind) => {
              const Picture = KIND_ICONS[kind];
              return (
                <Button
                  key={kind}
                  size="xs"
                  px={9}
                  variant="default"
                  leftSection={<Picture size={14} aria-hidden />}
                  onClick={() => onAdd(kind)}
                >
                  Add {kind} task
                </Button>
              );
            })}
          </Group>
        </Panel>
      )}
      <Panel position="top-right">
        <Stack
          gap={6}
          className={classes.toolbar}
          role="toolbar"
          aria-label="Canvas"
          aria-orientation="vertical"
        >
          <Tool
            icon={IconPlus}
            label={compact ? "Add a task" : "Add a task by search"}
            keys="A"
            onClick={onPalette}
          />
          <Tool icon={IconSearch} label="Find a task" keys="/" onClick={onFind} />
          <Tool icon={IconNote} label="Add note" keys="N" onClick={onAddNote} />
          {canTidy && (
            <Tool icon={IconLayoutGrid} label="Tidy up: rows that fit the width" onClick={onTidy} />
          )}
        </Stack>
      </Panel>
    </>
  );
}

interface ToolProps {
  icon: Icon;
  label: string;
  keys?: string;
  onClick: () => void;
}

function Tool({ icon: Picture, label, keys, onClick }: ToolProps) {
  const [name] = label.split(":");
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label} position="left">
      <ActionIcon variant="default" size={30} aria-label={name} onClick={onClick}>
        <Picture size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
