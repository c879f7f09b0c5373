import { Group, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { usePagedQuery } from "../../api/pagination";
import { PagedTable } from "../../components/PagedTable";
import { StatusLabel } from "../../components/StatusLabel";
import { UsageLinks, useUsages } from "../../components/UsedBy";
import classes from "./tools.module.css";

interface Query {
  search?: string;
  provider_id?: number;
}

export function useTools(orgId: string, query: Query) {
  return usePagedQuery(
    ["organization", orgId, "tools", "pages", query],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tools", {
          params: { path: { orgId }, query: { ...query, limit: 50, after } },
        }),
      ),
    { keepPrevious: true },
  );
}

/** The name and the description of a tool. */
export function ToolCell({ orgId, tool }: { orgId: string; tool: Schemas["Tool"] }) {
  return (
    <Table.Td maw={480}>
      <Group gap="xs">
        <Link className="rowLink" to={`/organizations/${orgId}/tools/${tool.tool_id}`}>
          {tool.title || tool.tool_name}
        </Link>
        {!tool.available && <StatusLabel status="Not available" />}
      </Group>
      <Text size="xs" c="dimmed" lineClamp={1} title={tool.description}>
        {tool.description}
      </Text>
    </Table.Td>
  );
}

/** The tools of a provider. */
export function ToolTable({ orgId, providerId }: { orgId: string; providerId: number }) {
  const tools = useTools(orgId, { provider_id: providerId });
  const usages = useUsages(
    orgId,
    "tool",
    tools.items.map((each) => each.tool_id),
    3,
  );
  return (
    <PagedTable
      pages={tools}
      columns={["Tool", "Used by"]}
      minWidth={480}
      empty={
        <Text size="sm" c="dimmed" pt="xs">
          No tools yet.
        </Text>
      }
    >
      {(tool) => (
        <Table.Tr key={tool.tool_id}>
          <ToolCell orgId={orgId} tool={tool} />
          <Table.Td data-label="Used by" className={classes.usedBy}>
            <UsageLinks orgId={orgId} usage={usages.data?.get(String(tool.tool_id))} />
          </Table.Td>
        </Table.Tr>
      )}
    </PagedTable>
  );
}
