import { Card, Table } from "@mantine/core";
import { useOrganizationId, type Schemas } from "../../api";
import { DataTable } from "../../components/DataTable";
import { InlineLink } from "../../components/PageLink";
import { useActorName } from "../../components/actorNames";
import { CardHeading } from "../../components/variants";
import { formatCost, formatCount, formatShare } from "../../components/formatNumbers";

interface Props {
  /** The period in hours, for the links to the runs. */
  hours: string;
  workflows: Schemas["UsageOfWorkflow"][];
}

/** The runs, tokens and cost of each agent in the period. */
export function AgentUsage({ hours, workflows }: Props) {
  const orgId = useOrganizationId();
  const nameOf = useActorName();
  const withCost = workflows.some((each) => each.cost_micros > 0);
  if (workflows.length === 0) {
    return null;
  }
  return (
    <Card withBorder padding="md" component="section" aria-label="Agents">
      <CardHeading mb="xs">Agents</CardHeading>
      <DataTable
        columns={[
          "Agent",
          { label: "Runs finished", numeric: true },
          { label: "Failed", numeric: true },
          { label: "Tokens", numeric: true },
          withCost && { label: "Cost", numeric: true },
        ]}
        minWidth={480}
        verticalSpacing={6}
      >
        {workflows.map((each) => {
          const { workflow_id: id, runs_completed, runs_failed, runs_cancelled, runs_terminated } = each;
          const finished = runs_completed + runs_failed + runs_cancelled + runs_terminated;
          const runs = `/organizations/${orgId}/runs?hours=${hours}&test_run=false&agent=${id}`;
          return (
            <Table.Tr key={id}>
              <Table.Td>
                <InlineLink to={runs}>{nameOf(`agent:${id}`)}</InlineLink>
              </Table.Td>
              <Table.Td ta="right">{formatCount(finished)}</Table.Td>
              <Table.Td ta="right">
                {runs_failed > 0 ? (
                  <InlineLink to={`${runs}&status=FAILED`}>
                    {formatCount(runs_failed)} ({formatShare(runs_failed, finished)})
                  </InlineLink>
                ) : (
                  "0"
                )}
              </Table.Td>
              <Table.Td ta="right">{formatCount(each.input_tokens + each.output_tokens)}</Table.Td>
              {withCost && <Table.Td ta="right">{formatCost(each.cost_micros)}</Table.Td>}
            </Table.Tr>
          );
        })}
      </DataTable>
    </Card>
  );
}
