import { NodeResizer, type Node, type NodeProps } from "@xyflow/react";
import { createContext, useContext } from "react";
import classes from "./graph.module.css";

export type NoteNodeData = { id: string; text: string };

export const NOTE_MIN_SIZE = { width: 120, height: 60 };
const MAX_LENGTH = 4_000;

/** Called when the text of a note changes. */
export const NoteTextContext = createContext<(noteId: string, text: string) => void>(() => undefined);

/** A text for the people who edit the agent. */
export function NoteNode({ data, selected }: NodeProps<Node<NoteNodeData>>) {
  const onChange = useContext(NoteTextContext);
  return (
    <div className={classes.note} data-selected={selected || undefined}>
      <NodeResizer
        isVisible={selected}
        minWidth={NOTE_MIN_SIZE.width}
        minHeight={NOTE_MIN_SIZE.height}
        handleClassName={classes.resizeHandle}
      />
      <textarea
        className={`${classes.noteText} nodrag nowheel nopan`}
        aria-label="Text of the note"
        placeholder="Write a note"
        maxLength={MAX_LENGTH}
        tabIndex={-1}
        value={data.text}
        onChange={(event) => onChange(data.id, event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.currentTarget.closest<HTMLElement>(".react-flow__node")?.focus();
          }
        }}
      />
    </div>
  );
}
