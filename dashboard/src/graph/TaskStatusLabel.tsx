import { StatusLabel } from "../components/StatusLabel";
import { shownStatus, statusReason } from "./shownStatus";

/** The status of a task of a run, with its reason as a tooltip. */
export function TaskStatusLabel({ task }: { task: Parameters<typeof shownStatus>[0] }) {
  return <StatusLabel status={shownStatus(task)} title={statusReason(task)} />;
}
