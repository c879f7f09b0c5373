import { Group, SegmentedControl, Select, Table } from "@mantine/core";
import { IconChartBar, IconDownload } from "@tabler/icons-react";
import { useModelUsage, useOrganizationId, type RequestQuery, type Schemas } from "../../api";
import { EmptyState } from "../../components/EmptyState";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { QueryBoundary } from "../../components/QueryBoundary";
import { useFilters } from "../../components/useFilters";
import { SecondaryButton, SectionHeading } from "../../components/variants";

type Row = Schemas["ModelUsage"];
type Grouping = NonNullable<RequestQuery<"usage/models">["group_by"]>;

const GROUPINGS: { value: Grouping; label: string; none: string }[] = [
  { value: "model", label: "Model", none: "Unknown" },
  { value: "workflow", label: "Agent", none: "Chats without an agent" },
  { value: "api_key", label: "API key", none: "Without a key" },
  { value: "day", label: "Day", none: "Unknown" },
];

const DAYS = [
  { value: "1", label: "Today" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "366", label: "A year" },
];

const DAY_MS = 86_400_000;

/** The first of the last days, in UTC. */
const firstDay = (days: number) => new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);

/** Calls, tokens and cost by model, agent, API key or day. */
export function ModelUsage() {
  const orgId = useOrganizationId();
  const filters = useFilters();
  const grouping = GROUPINGS.find(({ value }) => value === filters.get("by")) ?? GROUPINGS[0]!;
  const days = DAYS.find(({ value }) => value === filters.get("days"))?.value ?? "30";
  const query = { from: firstDay(Number(days)), group_by: grouping.value };
  const usage = useModelUsage(query);
  const csv = `/dashboard/api/organizations/${orgId}/usage/models/export?${new URLSearchParams(query)}`;
  return (
    <section aria-label="Models">
      <Group justify="space-between" mb="sm">
        <SectionHeading>Models</SectionHeading>
        <Group>
          <SegmentedControl
            aria-label="Group by"
            data={GROUPINGS.map(({ value, label }) => ({ value, label }))}
            value={grouping.value}
            onChange={(value) => filters.set("by", value)}
          />
          <Select
            aria-label="Period"
            data={DAYS}
            value={days}
            allowDeselect={false}
            w={120}
            onChange={(value) => filters.set("days", value)}
          />
          <SecondaryButton component="a" href={csv} download leftSection={<IconDownload size={16} />}>
            Export CSV
          </SecondaryButton>
        </Group>
      </Group>
      <QueryBoundary query={usage}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={IconChartBar} title="No calls of models in this period">
              Chats and AI tasks appear here some seconds after they call a model.
            </EmptyState>
          ) : (
            <UsageTable label={grouping.label} none={grouping.none} items={items} />
          )
        }
      </QueryBoundary>
    </section>
  );
}

function UsageTable({ label, none, items }: { label: string; none: string; items: Row[] }) {
  const total = (of: (row: Row) => number) => items.reduce((sum, row) => sum + of(row), 0);
  const columns: { title: string; of: (row: Row) => number; format: (value: number) => string }[] = [
    { title: "Calls", of: (row) => row.calls, format: formatCount },
    { title: "Input", of: (row) => row.input_tokens, format: formatCount },
    { title: "Cached", of: (row) => row.cached_tokens, format: formatCount },
    { title: "Output", of: (row) => row.output_tokens, format: formatCount },
    { title: "Reasoning", of: (row) => row.reasoning_tokens, format: formatCount },
    { title: "Cost", of: (row) => row.cost_micros, format: formatCost },
  ];
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{label}</Table.Th>
            {columns.map(({ title }) => (
              <Table.Th key={title} ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((row) => (
            <Table.Tr key={row.key ?? ""}>
              <Table.Td>{row.name ?? row.key ?? none}</Table.Td>
              {columns.map(({ title, of, format }) => (
                <Table.Td key={title} ta="right">
                  {format(of(row))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>Total</Table.Th>
            {columns.map(({ title, of, format }) => (
              <Table.Th key={title} ta="right">
                {format(total(of))}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}
