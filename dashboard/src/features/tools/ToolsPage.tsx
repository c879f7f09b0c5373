import { Group, Stack, Table, Text } from "@mantine/core";
import { IconPlug } from "@tabler/icons-react";
import { useIsAdmin, useToolPages, useToolProviders, useRowUsages, type Schemas } from "../../api";
import { LoadMoreButton } from "../../components/LoadMoreButton";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { PagedTable } from "../../components/PagedTable";
import { QueryBoundary } from "../../components/QueryBoundary";
import { SearchField } from "../../components/SearchField";
import { UsageLinks } from "../../components/UsedBy";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { AddButton } from "../../components/variants";
import { ProviderDialog } from "./ProviderDialog";
import { ProviderGroup } from "./ProviderGroup";
import { KIND_ICONS, providerName } from "./providerKinds";
import { ToolCell } from "./ToolTable";

/** The providers with their tools; a search looks at the tools of all. */
export default function ToolsPage() {
  const isAdmin = useIsAdmin();
  const dialog = useDialog("add-provider");
  const filters = useFilters();
  const search = filters.get("search");
  const providers = useToolProviders();
  return (
    <Page
      title="Tools"
      about="Tools your App and AI tasks can call, from MCP servers, OpenAPI services and built-ins."
      actions={isAdmin && <AddButton onClick={dialog.open}>Add provider</AddButton>}
    >
      <Group className="filters">
        <SearchField
          aria-label="Search tools"
          placeholder="Search tools"
          maxLength={200}
          w={{ base: "100%", xs: 320 }}
        />
      </Group>
      {search ? (
        <FoundTools search={search} providers={providers.items} />
      ) : (
        <QueryBoundary query={providers}>
          {() => (
            <Stack gap="sm">
              {providers.items.map((provider) => (
                <ProviderGroup
                  key={provider.id}
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
      <ProviderDialog opened={isAdmin && dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

interface FoundProps {
  search: string;
  providers: Schemas["ToolProvider"][];
}

function FoundTools({ search, providers }: FoundProps) {
  const tools = useToolPages({ search });
  const usages = useRowUsages(
    "tool",
    tools.items.map((each) => each.tool_id),
  );
  return (
    <PagedTable
      pages={tools}
      columns={["Tool", "Provider", "Used by"]}
      minWidth={640}
      empty={<NoMatches icon={IconPlug} things="tools" />}
    >
      {(tool) => {
        const Picture = KIND_ICONS[providers.find(({ id }) => id === tool.provider_id)?.kind ?? "builtin"];
        return (
          <Table.Tr key={tool.tool_id}>
            <ToolCell tool={tool} />
            <Table.Td>
              <Group gap={6} wrap="nowrap">
                <Picture size={16} aria-hidden style={{ flex: "none" }} />
                <Text span inherit>
                  {providerName(tool.provider)}
                </Text>
              </Group>
            </Table.Td>
            <Table.Td data-label="Used by" maw={300}>
              <UsageLinks usage={usages.data?.get(String(tool.tool_id))} />
            </Table.Td>
          </Table.Tr>
        );
      }}
    </PagedTable>
  );
}
