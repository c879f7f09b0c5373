import { Alert, Anchor, List, Text } from "@mantine/core";
import type { WorkflowDocument } from "../../graph/document";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { taskOf, type Fault } from "./faults";

const SHOWN = 12;

interface Props {
  document: WorkflowDocument;
  faults: Fault[];
  error: unknown;
  onChoose: (taskId: string | null) => void;
}

/** Everything that keeps the draft from being published; each line leads to the task that it is about. */
export function ProblemList({ document, faults, error, onChoose }: Props) {
  if (error) {
    return <ErrorNotice error={error} />;
  }
  if (faults.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        No faults: this draft can be published.
      </Text>
    );
  }
  return (
    <Alert
      color="red"
      role="status"
      title={
        faults.length === 1
          ? "One thing to mend before publishing"
          : `${faults.length} things to mend before publishing`
      }
    >
      <List size="sm" spacing={4}>
        {faults.slice(0, SHOWN).map((fault) => {
          const task = document.tasks.find((each) => each.id === taskOf(document, fault.path ?? ""));
          return (
            <List.Item key={fault.path + fault.detail}>
              <b>{fault.error}</b>
              {task && (
                <>
                  {" in "}
                  <Anchor component="button" type="button" inherit onClick={() => onChoose(task.id)}>
                    {task.name || task.id}
                  </Anchor>
                </>
              )}
              : {fault.detail}
            </List.Item>
          );
        })}
      </List>
      {faults.length > SHOWN && <Text size="sm">and {faults.length - SHOWN} more</Text>}
    </Alert>
  );
}
