import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { IconPlug, IconPlus } from "@tabler/icons-react";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { LoadMoreButton } from "../../components/LoadMoreButton";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { PagedTable } from "../../components/PagedTable";
import { QueryBoundary } from "../../components/QueryBoundary";
import { SearchField } from "../../components/SearchField";
import { UsageLinks, useUsages } from "../../components/UsedBy";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { ProviderDialog } from "./ProviderDialog";
import { ProviderGroup } from "./ProviderGroup";
import { KIND_ICONS, providerName } from "./providerKinds";
import { ToolCell, useTools } from "./ToolTable";

/** The providers with their tools; a search looks at the tools of all. */
export default function ToolsPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const dialog = useDialog("add-provider");
  const filters = useFilters();
  const search = filters.get("search");
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
      <Group className="filters">
        <SearchField
          aria-label="Search tools"
          placeholder="Search tools"
          maxLength={200}
          w={{ base: "100%", xs: 320 }}
          searched={search ?? ""}
          onSearch={(text) => filters.set("search", text)}
        />
      </Group>
      {search ? (
        <FoundTools orgId={orgId} search={search} providers={providers.items} onClear={filters.clear} />
      ) : (
        <QueryBoundary query={providers}>
          {() => (
            <Stack gap="sm">
              {providers.items.map((provider) => (
                <ProviderGroup
                  key={provider.id}
                  orgId={orgId}
                  provider={provider}
                  isAdmin={isAdmin}
                  isLinked={filters.get("provider") === String(provider.id)}
                />
              ))}
              <LoadMoreButton pages={providers} />
            </Stack>
          )}
        </QueryBoundary>
      )}
      <ProviderDialog orgId={orgId} opened={isAdmin && dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

interface FoundProps {
  orgId: string;
  search: string;
  providers: Schemas["ToolProvider"][];
  onClear: () => void;
}

function FoundTools({ orgId, search, providers, onClear }: FoundProps) {
  const tools = useTools(orgId, { search });
  const usages = useUsages(
    orgId,
    "tool",
    tools.items.map((each) => each.tool_id),
    3,
  );
  return (
    <PagedTable
      pages={tools}
      columns={["Tool", "Provider", "Used by"]}
      minWidth={640}
      empty={<NoMatches icon={IconPlug} things="tools" onClear={onClear} />}
    >
      {(tool) => {
        const Picture = KIND_ICONS[providers.find(({ id }) => id === tool.provider_id)?.kind ?? "builtin"];
        return (
          <Table.Tr key={tool.tool_id}>
            <ToolCell orgId={orgId} tool={tool} />
            <Table.Td>
              <Group gap={6} wrap="nowrap">
                <Picture size={16} aria-hidden style={{ flex: "none" }} />
                <Text span inherit>
                  {providerName(tool.provider)}
                </Text>
              </Group>
            </Table.Td>
            <Table.Td data-label="Used by" maw={300}>
              <UsageLinks orgId={orgId} usage={usages.data?.get(String(tool.tool_id))} />
            </Table.Td>
          </Table.Tr>
        );
      }}
    </PagedTable>
  );
}
