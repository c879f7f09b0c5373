import { Button, Card, Group, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlug, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { api, ask } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { EmptyState } from "../../parts/EmptyState";
import { Listing } from "../../parts/Listing";
import { Loaded } from "../../parts/Loaded";
import { More } from "../../parts/More";
import { NothingFits } from "../../parts/NothingFits";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { useDialog } from "../../parts/useDialog";
import { useFilters } from "../../parts/useFilters";
import { ProviderDialog } from "./ProviderDialog";
import { ProviderRow } from "./ProviderRow";

export default function ToolsPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const dialog = useDialog("add-provider");
  const providers = usePages(["organization", orgId, "tool-providers"], (after) =>
    ask(
      api.GET("/dashboard/api/organizations/{orgId}/tool-providers", {
        params: { path: { orgId }, query: { limit: 50, after } },
      }),
    ),
  );
  return (
    <Page
      title="Tools"
      about="What App tasks can do: tools of MCP servers, of web APIs with an OpenAPI description, and built-in ones."
      actions={
        isAdmin && (
          <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
            Add a provider
          </Button>
        )
      }
    >
      <Title order={2} size="h4">
        Providers
      </Title>
      <Loaded query={providers}>
        {() => (
          <Stack>
            {providers.items.map((provider) => (
              <Card key={provider.id} withBorder padding="md">
                <ProviderRow orgId={orgId} provider={provider} isAdmin={isAdmin} />
              </Card>
            ))}
            <More pages={providers} />
          </Stack>
        )}
      </Loaded>
      <Tools orgId={orgId} />
      <ProviderDialog orgId={orgId} opened={isAdmin && dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

function Tools({ orgId }: { orgId: string }) {
  const filters = useFilters();
  const search = filters.get("search") ?? "";
  const [text, setText] = useState(search);
  const [shown, setShown] = useState(search);
  if (shown !== search) {
    // The address was changed: by what was typed, or by a link that leads to something else.
    setShown(search);
    setText((now) => (now.trim() === search ? now : search));
  }
  const look = useDebouncedCallback((words: string) => filters.set("search", words), 300);
  const tools = usePages(["organization", orgId, "tools", "pages", search], (after) =>
    ask(
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
            look(event.currentTarget.value.trim());
          }}
        />
      </Group>
      <Listing
        pages={tools}
        columns={["Tool", "Provider", "Id"]}
        minWidth={560}
        empty={
          filters.any ? (
            <NothingFits icon={IconPlug} things="tools" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconPlug} title="No tools yet">
              The tools of each provider above are listed here.
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
              {!tool.available && <Status of="No longer offered" />}
              <Text size="xs" c="dimmed" lineClamp={2}>
                {tool.description}
              </Text>
            </Table.Td>
            <Table.Td>{tool.provider}</Table.Td>
            <Table.Td data-label="Id">{tool.tool_id}</Table.Td>
          </Table.Tr>
        )}
      </Listing>
    </Stack>
  );
}
