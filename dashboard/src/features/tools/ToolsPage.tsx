import { Button, Card, Group, Select, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlug, IconPlus, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePagedQuery, type PagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { QueryBoundary } from "../../components/QueryBoundary";
import { LoadMoreButton } from "../../components/LoadMoreButton";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { UsageLinks, useUsages } from "../../components/UsedBy";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { ProviderDialog } from "./ProviderDialog";
import { KIND_OPTIONS, providerName, type ProviderKind } from "./providerKinds";
import { ProviderRow } from "./ProviderRow";

type Provider = Schemas["ToolProvider"];

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
      <Providers orgId={orgId} isAdmin={isAdmin} providers={providers} />
      <Catalogue orgId={orgId} providers={providers.items} />
      <ProviderDialog orgId={orgId} opened={isAdmin && dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

interface ProvidersProps {
  orgId: string;
  isAdmin: boolean;
  providers: PagedQuery<Provider>;
}

function Providers({ orgId, isAdmin, providers }: ProvidersProps) {
  const usages = useUsages(
    orgId,
    "tool_provider",
    providers.items.map((each) => each.id),
    3,
  );
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Providers
      </Title>
      <QueryBoundary query={providers}>
        {() => (
          <Stack gap="sm">
            {providers.items.map((provider) => (
              <Card key={provider.id} withBorder padding="md">
                <ProviderRow
                  orgId={orgId}
                  provider={provider}
                  usage={usages.data?.get(String(provider.id))}
                  isAdmin={isAdmin}
                />
              </Card>
            ))}
            <LoadMoreButton pages={providers} />
          </Stack>
        )}
      </QueryBoundary>
    </Stack>
  );
}

/** All tools, filtered by text, provider and kind. The URL holds the filters. */
function Catalogue({ orgId, providers }: { orgId: string; providers: Provider[] }) {
  const filters = useFilters();
  const search = filters.get("search") ?? "";
  const provider = filters.get("provider") ?? null;
  const kind = (filters.get("kind") as ProviderKind | undefined) ?? null;
  const tools = usePagedQuery(
    ["organization", orgId, "tools", "pages", search, provider, kind],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tools", {
          params: {
            path: { orgId },
            query: {
              search: search || undefined,
              provider_id: provider ? Number(provider) : undefined,
              kind: kind ?? undefined,
              limit: 50,
              after,
            },
          },
        }),
      ),
    { keepPrevious: true },
  );
  const usages = useUsages(
    orgId,
    "tool",
    tools.items.map((each) => each.tool_id),
    3,
  );
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        All tools
      </Title>
      <Group className="filters" align="flex-end">
        <SearchField searched={search} onSearch={(text) => filters.set("search", text)} />
        <Select
          label="Provider"
          placeholder="All"
          clearable
          searchable
          w={200}
          data={providers.map((each) => ({ value: String(each.id), label: providerName(each.name) }))}
          value={provider}
          onChange={(value) => filters.set("provider", value)}
        />
        <Select
          label="Kind"
          placeholder="All"
          clearable
          w={170}
          data={KIND_OPTIONS}
          value={kind}
          onChange={(value) => filters.set("kind", value)}
        />
      </Group>
      <PagedTable
        pages={tools}
        columns={["Tool", "Provider", "Used by", "ID"]}
        minWidth={640}
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
              <Group gap="xs">
                <Link className="rowLink" to={`/organizations/${orgId}/tools/${tool.tool_id}`}>
                  {tool.title || tool.tool_name}
                </Link>
                {!tool.available && <StatusLabel status="Not available" />}
              </Group>
              <Text size="xs" c="dimmed" lineClamp={2}>
                {tool.description}
              </Text>
            </Table.Td>
            <Table.Td>{providerName(tool.provider)}</Table.Td>
            <Table.Td data-label="Used by" maw={300}>
              <UsageLinks orgId={orgId} usage={usages.data?.get(String(tool.tool_id))} />
            </Table.Td>
            <Table.Td data-label="ID">{tool.tool_id}</Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
    </Stack>
  );
}

/** Searches after a pause in typing. */
function SearchField({ searched, onSearch }: { searched: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(searched);
  const [before, setBefore] = useState(searched);
  if (before !== searched) {
    // The URL changed, either by typing or by a link to another search.
    setBefore(searched);
    setText((now) => (now.trim() === searched ? now : searched));
  }
  const search = useDebouncedCallback((value: string) => onSearch(value.trim()), 300);
  return (
    <TextInput
      type="search"
      label="Search tools"
      placeholder="Name or description"
      leftSection={<IconSearch size={16} aria-hidden />}
      maxLength={200}
      w={{ base: "100%", xs: 280 }}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
