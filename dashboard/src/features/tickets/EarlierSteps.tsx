import { Accordion, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
import { usePrinting } from "../../components/usePrinting";
import { ValueList } from "../../components/ValueList";
import { recordsOf, useRun, useRunLog } from "../runs/queries";
import { stepsBefore } from "./stepsBefore";

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
}

/** The tasks that the run finished before it opened the ticket; their outputs are loaded when they are shown. */
export function EarlierSteps({ orgId, ticket }: Props) {
  const [opened, setOpened] = useState<string | null>(null);
  const printing = usePrinting();
  const { data: run } = useRun(orgId, ticket.workflow_instance_id);
  const steps = run ? stepsBefore(run.tasks, ticket) : [];
  if (!run || steps.length === 0) {
    return null;
  }
  if (printing) {
    return (
      <Card withBorder component="section" aria-label="Earlier steps">
        <Title order={2} size="h5" mb="sm">
          Earlier steps
        </Title>
        <Steps orgId={orgId} run={run} steps={steps} printing />
      </Card>
    );
  }
  return (
    <Accordion variant="contained" value={opened} onChange={setOpened}>
      <Accordion.Item value="steps">
        <Accordion.Control>Earlier steps ({steps.length})</Accordion.Control>
        <Accordion.Panel>{opened && <Steps orgId={orgId} run={run} steps={steps} />}</Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

interface StepsProps {
  orgId: string;
  run: Schemas["WorkflowInstance"];
  steps: Schemas["TaskInstance"][];
  printing?: boolean;
}

function Steps({ orgId, run, steps, printing = false }: StepsProps) {
  const log = useRunLog(orgId, run);
  // Printing does not wait for the outputs.
  return printing && !log.data ? (
    <StepList steps={steps} entries={[]} />
  ) : (
    <QueryBoundary query={log}>{(entries) => <StepList steps={steps} entries={entries} />}</QueryBoundary>
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
              <Text size="sm" fw={600}>
                {step.name}
              </Text>
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
