import { SearchDialog } from "../../components/SearchDialog";
import type { Task, WorkflowDocument } from "../../graph/document";
import { KIND_ICONS } from "../../graph/TaskNode";
import { connectChoices, unconnectable } from "./connectChoices";

interface Props {
  document: WorkflowDocument;
  /** The task to connect; null while the dialog is closed. */
  from: Task | null;
  onConnect: (result: WorkflowDocument | string) => void;
  onClose: () => void;
}

/** Connects a task to another one, which is found by its name or by what it gets. */
export function ConnectDialog({ document, from, onConnect, onClose }: Props) {
  const choices = from ? connectChoices(document, from) : [];
  const others = from ? unconnectable(document, from, choices) : [];
  return (
    <SearchDialog
      title="Connect to another task"
      label="Search tasks"
      opened={from !== null}
      empty="This is the only task. Press A on the canvas to add another one after it."
      items={[
        ...choices.map(({ to, label, apply }, index) => ({
          key: `${index}`,
          ...shown(to, label),
          onChoose: () => onConnect(apply()),
        })),
        ...others.map(({ to, reason }) => ({
          key: `unconnectable/${to.id}`,
          ...shown(to, reason),
          disabled: true,
          onChoose: () => {},
        })),
      ]}
      onClose={onClose}
    />
  );
}

const shown = (to: Task, description: string) => ({
  label: to.name || to.id || "Untitled",
  description,
  icon: KIND_ICONS[to.kind] ?? KIND_ICONS.App,
});
