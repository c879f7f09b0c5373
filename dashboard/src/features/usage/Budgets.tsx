import { Badge, Button, Group, Menu, Progress, Table, Text } from "@mantine/core";
import { IconGauge, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useBudgets, useDeleteBudget, useIsAdmin, type Schemas } from "../../api";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { MoreMenu } from "../../components/MoreMenu";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { DimmedXs, SectionHeading } from "../../components/variants";
import { ChangeBudgetDialog, NewBudgetDialog } from "./BudgetDialogs";
import { formatAmount, percentOf } from "./budgetAmounts";

type Budget = Schemas["Budget"];

const STATES: Record<Budget["state"], { label: string; color: string }> = {
  OK: { label: "Within limit", color: "teal" },
  WARNED: { label: "Over 80%", color: "orange" },
  BLOCKED: { label: "Used up", color: "red" },
};

const SCOPES: Record<Budget["scope"], string> = {
  ORGANIZATION: "All of the organization",
  API_KEY: "API key",
  WORKFLOW: "Agent",
};

export const scopeOf = ({ scope, scope_name: name }: Budget) =>
  scope === "ORGANIZATION" ? SCOPES[scope] : `${SCOPES[scope]} “${name ?? "deleted"}”`;

/** The budgets with their use in the current period. */
export function Budgets() {
  const isAdmin = useIsAdmin();
  const budgets = useBudgets();
  const dialog = useDialog("new-budget");
  const [changed, setChanged] = useState<Budget | null>(null);
  const [deleted, setDeleted] = useState<Budget | null>(null);
  const remove = useDeleteBudget({ done: "Budget deleted.", onSuccess: () => setDeleted(null) });
  const create = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New budget
    </Button>
  );
  return (
    <section aria-label="Budgets">
      <Group justify="space-between" mb="sm">
        <SectionHeading>Budgets</SectionHeading>
        {budgets.data?.length ? create : null}
      </Group>
      <QueryBoundary query={budgets}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={IconGauge} title="No budgets yet" action={create}>
              A budget warns at 80% and refuses calls of models at its limit. Agents pause and go on later.
            </EmptyState>
          ) : (
            <Table.ScrollContainer minWidth={620}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Budget</Table.Th>
                    <Table.Th>Used</Table.Th>
                    <Table.Th>Status</Table.Th>
                    <Table.Th>Resets</Table.Th>
                    {isAdmin && <Table.Th aria-label="Actions" />}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {all.map((budget) => (
                    <Table.Tr key={budget.id}>
                      <Table.Td>
                        <Text size="sm">{scopeOf(budget)}</Text>
                        <DimmedXs>
                          {formatAmount(budget.unit, budget.limit)} per {budget.period.toLowerCase()}
                        </DimmedXs>
                      </Table.Td>
                      <Table.Td miw={180}>
                        <Use budget={budget} />
                      </Table.Td>
                      <Table.Td>
                        <Badge variant="light" color={STATES[budget.state].color}>
                          {STATES[budget.state].label}
                        </Badge>
                      </Table.Td>
                      <Table.Td>
                        <Time at={budget.resets_at} relative />
                      </Table.Td>
                      {isAdmin && (
                        <Table.Td>
                          <MoreMenu>
                            <Menu.Item onClick={() => setChanged(budget)}>Change limit…</Menu.Item>
                            <Menu.Item c="var(--mantine-color-error)" onClick={() => setDeleted(budget)}>
                              Delete…
                            </Menu.Item>
                          </MoreMenu>
                        </Table.Td>
                      )}
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </QueryBoundary>
      <NewBudgetDialog opened={isAdmin && dialog.opened} onClose={dialog.close} />
      <ChangeBudgetDialog budget={changed} onClose={() => setChanged(null)} />
      <ConfirmDialog
        opened={deleted !== null}
        title="Delete this budget?"
        action="Delete budget"
        mutation={remove}
        onConfirm={() => deleted && remove.mutate(deleted.id)}
        onClose={() => setDeleted(null)}
      >
        <Text size="sm">Its limit no longer applies. Agents that wait for it go on.</Text>
      </ConfirmDialog>
    </section>
  );
}

function Use({ budget }: { budget: Budget }) {
  const { used, reserved, unit, state } = budget;
  return (
    <>
      <Progress.Root aria-label={`Use of ${scopeOf(budget)}`}>
        <Progress.Section
          value={percentOf(budget, used)}
          color={STATES[state].color}
          aria-label="Used"
          aria-valuetext={formatAmount(unit, used)}
        />
        {reserved > 0 && (
          <Progress.Section
            value={percentOf(budget, Math.min(reserved, Math.max(0, budget.limit - used)))}
            color="gray"
            aria-label="Reserved"
            aria-valuetext={formatAmount(unit, reserved)}
          />
        )}
      </Progress.Root>
      <DimmedXs mt={4}>
        {formatAmount(unit, used)} used
        {reserved > 0 && `, ${formatAmount(unit, reserved)} reserved by calls in progress`}
      </DimmedXs>
    </>
  );
}
