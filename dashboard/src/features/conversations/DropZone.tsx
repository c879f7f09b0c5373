import { useState, type DragEvent, type ReactNode } from "react";
import classes from "./chat.module.css";

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");

/** Accepts files that are dropped anywhere on the chat. */
export function DropZone({
  onDrop,
  children,
}: {
  onDrop: (files: Iterable<File>) => void;
  children: ReactNode;
}) {
  const [over, setOver] = useState(false);
  return (
    <div
      className={classes.chat}
      onDragOver={(event) => {
        if (hasFiles(event)) {
          event.preventDefault();
          setOver(true);
        }
      }}
      onDragLeave={(event) => {
        // Also fires when the pointer moves between children.
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) {
          setOver(false);
        }
      }}
      onDrop={(event) => {
        if (hasFiles(event)) {
          event.preventDefault();
          setOver(false);
          onDrop(event.dataTransfer.files);
        }
      }}
    >
      {children}
      {over && <div className={classes.dropHint}>Drop files to attach them</div>}
    </div>
  );
}
