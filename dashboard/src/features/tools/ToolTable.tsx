import { Group, Table } from "@mantine/core";
import { RowLink } from "../../components/PageLink";
import { useToolPages, useRowUsages, type Schemas } from "../../api";
import { DimmedXs, Dimmed } from "../../components/variants";
import { PagedTable } from "../../components/PagedTable";
import { StatusLabel } from "../../components/StatusLabel";
import { UsageLinks } from "../../components/UsedBy";
import classes from "./tools.module.css";

/** The name and the description of a tool. */
export function ToolCell({ tool }: { tool: Schemas["Tool"] }) {
  return (
    <Table.Td maw={480}>
      <Group gap="xs">
        <RowLink to={`tools/${tool.tool_id}`}>{tool.title || tool.tool_name}</RowLink>
        {!tool.available && <StatusLabel status="Not available" />}
      </Group>
      <DimmedXs lineClamp={1} title={tool.description}>
        {tool.description}
      </DimmedXs>
    </Table.Td>
  );
}

/** The tools of a provider. */
export function ToolTable({ providerId }: { providerId: number }) {
  const tools = useToolPages({ provider_id: providerId });
  const usages = useRowUsages(
    "tool",
    tools.items.map((each) => each.tool_id),
  );
  return (
    <PagedTable
      pages={tools}
      columns={["Tool", "Used by"]}
      minWidth={480}
      empty={<Dimmed pt="xs">No tools yet.</Dimmed>}
    >
      {(tool) => (
        <Table.Tr key={tool.tool_id}>
          <ToolCell tool={tool} />
          <Table.Td data-label="Used by" className={classes.usedBy}>
            <UsageLinks usage={usages.data?.get(String(tool.tool_id))} />
          </Table.Td>
        </Table.Tr>
      )}
    </PagedTable>
  );
}
