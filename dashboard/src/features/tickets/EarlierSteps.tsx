import { Accordion, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
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
  const { data: run } = useRun(orgId, ticket.workflow_instance_id);
  const steps = run ? stepsBefore(run.tasks, ticket) : [];
  if (!run || steps.length === 0) {
    return null;
  }
  return (
    <Accordion variant="contained" value={opened} onChange={setOpened} className="screenOnly">
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
}

function Steps({ orgId, run, steps }: StepsProps) {
  const log = useRunLog(orgId, run);
  return (
    <QueryBoundary query={log}>
      {(entries) => {
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
      }}
    </QueryBoundary>
  );
}
