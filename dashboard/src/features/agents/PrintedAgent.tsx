import { Stack, Text } from "@mantine/core";
import { CardHeading } from "../../components/variants";
import { usePrinting } from "../../components/usePrinting";
import { ValueList } from "../../components/ValueList";
import type { WorkflowDocument } from "../../graph/document";
import { printedFields } from "./changes";

/** On paper, where the forms cannot be opened: the description of an agent and the fields of each task. */
export function PrintedAgent({ document }: { document: WorkflowDocument }) {
  return usePrinting() ? (
    <Stack mt="md" className="printed">
      {document.description && <Text size="sm">{document.description}</Text>}
      {document.tasks.map((task) => (
        <section key={task.id}>
          <CardHeading>{task.name || task.id}</CardHeading>
          <ValueList
            values={Object.fromEntries(
              [...printedFields(document, task)].filter(([label]) => label !== "Name"),
            )}
          />
        </section>
      ))}
    </Stack>
  ) : null;
}
