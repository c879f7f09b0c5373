import { IconLayoutGrid, IconMap, IconNote, IconSearch, type Icon } from "@tabler/icons-react";
import { ControlButton, Controls } from "@xyflow/react";
import { CONTROLS, TOOLBAR } from "./useGraphView";

/** Keeps the tasks clear of the buttons. */
const FIT = {
  maxZoom: 1,
  padding: { x: "8%", top: `${TOOLBAR}px`, bottom: `${CONTROLS}px` },
} as const;

interface Props {
  hasMap: boolean;
  /** Whether a part of the graph is out of view, which the minimap shows. */
  canMap: boolean;
  canTidy: boolean;
  onMap: () => void;
  onFind: () => void;
  onAddNote: () => void;
  onTidy: () => void;
}

/** The buttons below the graph: for its view, for finding tasks and for notes. */
export function CanvasControls({ hasMap, canMap, canTidy, onMap, onFind, onAddNote, onTidy }: Props) {
  return (
    <Controls position="bottom-left" orientation="horizontal" showInteractive={false} fitViewOptions={FIT}>
      {canMap && <Control icon={IconMap} label={hasMap ? "Hide minimap" : "Show minimap"} onClick={onMap} />}
      <Control icon={IconSearch} label="Find a task" keys="/" onClick={onFind} />
      <Control icon={IconNote} label="Add note" keys="N" onClick={onAddNote} />
      {canTidy && <Control icon={IconLayoutGrid} label="Tidy up" onClick={onTidy} />}
    </Controls>
  );
}

interface ControlProps {
  icon: Icon;
  label: string;
  keys?: string;
  onClick: () => void;
}

function Control({ icon: Picture, label, keys, onClick }: ControlProps) {
  return (
    <ControlButton onClick={onClick} title={keys ? `${label} (${keys})` : label} aria-label={label}>
      <Picture />
    </ControlButton>
  );
}
