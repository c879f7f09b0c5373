import { Stack, Table } from "@mantine/core";
import { useNodes } from "../../api";
import { DataTable } from "../../components/DataTable";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Time } from "../../components/Time";
import { SectionHeading } from "../../components/variants";

/** Which release each node runs, also while an upgrade is under way. */
export function Nodes() {
  const query = useNodes();
  return (
    <Stack component="section" aria-labelledby="nodes" gap="sm" mt="xl">
      <SectionHeading id="nodes">Nodes</SectionHeading>
      <QueryBoundary query={query}>
        {({ items }) => (
          <DataTable
            columns={["Node", "Parley", { label: "Schema", numeric: true }, "Started"]}
            minWidth={480}
          >
            {items.map((node) => (
              <Table.Tr key={node.id}>
                <Table.Td>
                  {node.name}
                  {node.alive ? "" : " (stopped)"}
                </Table.Td>
                <Table.Td>{node.version ?? "Before 0.1.0"}</Table.Td>
                <Table.Td className="number">{node.schema_version}</Table.Td>
                <Table.Td>
                  <Time at={node.started_at} relative />
                </Table.Td>
              </Table.Tr>
            ))}
          </DataTable>
        )}
      </QueryBoundary>
    </Stack>
  );
}
