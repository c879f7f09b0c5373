import { Button, Card, Group, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlug, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { api, unwrap } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { QueryBoundary } from "../../components/QueryBoundary";
import { LoadMoreButton } from "../../components/LoadMoreButton";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { ProviderDialog } from "./ProviderDialog";
import { ProviderRow } from "./ProviderRow";

export default function ToolsPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const dialog = useDialog("add-provider");
  const providers = usePagedQuery(["organization", orgId, "tool-providers"], (after) =>
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/tool-providers", {
        params: { path: { orgId }, query: { limit: 50, after } },
      }),
    ),
  );
  return (
    <Page
      title="Tools"
      about="Tools your App and AI tasks can call, from MCP servers, OpenAPI services and built-ins."
      actions={
        isAdmin && (
          <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
            Add provider
          </Button>
        )
      }
    >
      <Title order={2} size="h4">
        Providers
      </Title>
      <QueryBoundary query={providers}>
        {() => (
          <Stack>
            {providers.items.map((provider) => (
              <Card key={provider.id} withBorder padding="md">
                <ProviderRow orgId={orgId} provider={provider} isAdmin={isAdmin} />
              </Card>
            ))}
            <LoadMoreButton pages={providers} />
          </Stack>
        )}
      </QueryBoundary>
      <Tools orgId={orgId} />
      <ProviderDialog orgId={orgId} opened={isAdmin && dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

function Tools({ orgId }: { orgId: string }) {
  const filters = useFilters();
  const search = filters.get("search") ?? "";
  const [text, setText] = useState(search);
  const [appliedSearch, setAppliedSearch] = useState(search);
  if (appliedSearch !== search) {
    // The URL changed, either by typing or by a link to another search.
    setAppliedSearch(search);
    setText((now) => (now.trim() === search ? now : search));
  }
  const applySearch = useDebouncedCallback((term: string) => filters.set("search", term), 300);
  const tools = usePagedQuery(["organization", orgId, "tools", "pages", search], (after) =>
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/tools", {
        params: { path: { orgId }, query: { search: search || undefined, limit: 50, after } },
      }),
    ),
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h4">
          Tools
        </Title>
        <TextInput
          aria-label="Search tools"
          placeholder="Search"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            applySearch(event.currentTarget.value.trim());
          }}
        />
      </Group>
      <PagedTable
        pages={tools}
        columns={["Tool", "Provider", "ID"]}
        minWidth={560}
        empty={
          filters.any ? (
            <NoMatches icon={IconPlug} things="tools" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconPlug} title="No tools yet">
              Tools from the providers above appear here.
            </EmptyState>
          )
        }
      >
        {(tool) => (
          <Table.Tr key={tool.tool_id}>
            <Table.Td maw={480}>
              <Link className="rowLink" to={`/organizations/${orgId}/tools/${tool.tool_id}`}>
                {tool.title || tool.tool_name}
              </Link>
              {!tool.available && <StatusLabel status="No longer available" />}
              <Text size="xs" c="dimmed" lineClamp={2}>
                {tool.description}
              </Text>
            </Table.Td>
            <Table.Td>{tool.provider}</Table.Td>
            <Table.Td data-label="ID">{tool.tool_id}</Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
    </Stack>
  );
}
