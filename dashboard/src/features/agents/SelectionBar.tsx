import { Group } from "@mantine/core";
import { IconCopy, IconCopyPlus, IconTrash, type Icon } from "@tabler/icons-react";
import { Panel } from "@xyflow/react";
import { SmallButton } from "../../components/variants";
import classes from "./editor.module.css";

interface Props {
  onCopy: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

/** What can be done with several selected tasks and notes. */
export function SelectionBar({ onCopy, onDuplicate, onDelete }: Props) {
  return (
    <Panel position="bottom-center">
      <Group gap={6} className={classes.toolbar} role="toolbar" aria-label="Selection">
        <Action icon={IconCopy} label="Copy" onClick={onCopy} />
        <Action icon={IconCopyPlus} label="Duplicate" onClick={onDuplicate} />
        <Action icon={IconTrash} label="Delete" onClick={onDelete} />
      </Group>
    </Panel>
  );
}

function Action({ icon: Picture, label, onClick }: { icon: Icon; label: string; onClick: () => void }) {
  return (
    <SmallButton px={9} leftSection={<Picture size={14} aria-hidden />} onClick={onClick}>
      {label}
    </SmallButton>
  );
}
