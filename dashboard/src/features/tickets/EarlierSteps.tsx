import { Accordion, Card, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { queryClient, runLogQuery, runQuery, useRun, useRunLog, type Schemas } from "../../api";
import { CardHeading, Strong } from "../../components/variants";
import { useMarkdownOnPaper } from "../../components/Markdown";
import { QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
import { useIdle } from "../../components/useIdle";
import { usePrinting } from "../../components/usePrinting";
import { ValueList } from "../../components/ValueList";
import { recordsOf } from "../runs/queries";
import { stepsBefore } from "./stepsBefore";

/** Loads the outputs of the earlier steps. */
export async function loadEarlierSteps(orgId: string, ticket: Schemas["TicketDetails"]) {
  const run = await queryClient.ensureQueryData(runQuery(orgId, ticket.workflow_instance_id));
  if (stepsBefore(run.tasks, ticket).length > 0) {
    await queryClient.ensureQueryData(runLogQuery(orgId, run));
  }
}

/** The tasks that the run finished before it opened the ticket. Their outputs are loaded soon, for paper. */
export function EarlierSteps({ ticket }: { ticket: Schemas["TicketDetails"] }) {
  const [opened, setOpened] = useState<string | null>(null);
  const printing = usePrinting();
  const idle = useIdle();
  useMarkdownOnPaper();
  const { data: run } = useRun(ticket.workflow_instance_id);
  const steps = run ? stepsBefore(run.tasks, ticket) : [];
  const log = useRunLog(steps.length > 0 && (idle || opened) ? run : undefined);
  if (steps.length === 0) {
    return null;
  }
  if (printing) {
    return (
      <Card withBorder component="section" aria-label="Earlier steps">
        <CardHeading mb="sm">Earlier steps</CardHeading>
        <StepList steps={steps} entries={log.data ?? []} />
      </Card>
    );
  }
  return (
    <Accordion variant="contained" value={opened} onChange={setOpened}>
      <Accordion.Item value="steps">
        <Accordion.Control>Earlier steps ({steps.length})</Accordion.Control>
        <Accordion.Panel>
          {opened && (
            <QueryBoundary query={log}>
              {(entries) => <StepList steps={steps} entries={entries} />}
            </QueryBoundary>
          )}
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

interface StepListProps {
  steps: Schemas["TaskInstance"][];
  entries: Parameters<typeof recordsOf>[0];
}

function StepList({ steps, entries }: StepListProps) {
  const records = recordsOf(entries);
  return (
    <Stack component="ol" m={0} p={0} style={{ listStyle: "none" }}>
      {steps.map((step) => {
        const outputs = records.get(step.id)?.outputs ?? {};
        return (
          <li key={step.id}>
            <Group gap="xs" mb={4}>
              <Strong>{step.name}</Strong>
              <StatusLabel status={step.status} />
            </Group>
            {Object.keys(outputs).length > 0 && <ValueList readable values={outputs} />}
            {step.error && <Text size="sm">{step.error.detail}</Text>}
          </li>
        );
      })}
    </Stack>
  );
}
