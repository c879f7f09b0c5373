import { Button, Group, List, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";

const KIND_LABELS = { builtin: "Built-in", mcp: "MCP server", openapi: "OpenAPI service" };

const CREDENTIALS: Record<string, string> = {
  bearer_token: "bearer token",
  username: "username",
  password: "password",
  api_key: "API key",
};

/** The name of a credential; values are never shown. */
function credentialName(name: string): string {
  return CREDENTIALS[name] ?? name.replace("headers.", "header ");
}

const toolCount = (count: number) => `${count} ${count === 1 ? "tool" : "tools"}`;

interface Props {
  orgId: string;
  provider: Schemas["ToolProvider"];
  isAdmin: boolean;
}

/** A provider with the status of its tool catalog. Admins can refresh and remove it. */
export function ProviderRow({ orgId, provider, isAdmin }: Props) {
  const [removing, setRemoving] = useState(false);
  const params = { path: { orgId, providerId: provider.id } };
  const done = async () => {
    await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tool-providers"] });
    await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tools"] });
  };
  const refresh = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tool-providers/{providerId}/refresh", { params }),
      ),
    onSuccess: async (found) => {
      notifications.show({ message: `${found.name} refreshed: ${toolCount(found.tools)}.` });
      await done();
    },
  });
  const remove = useMutation({
    mutationFn: () =>
      unwrap(api.DELETE("/dashboard/api/organizations/{orgId}/tool-providers/{providerId}", { params })),
    onSuccess: done,
  });
  return (
    <>
      <Group justify="space-between">
        <div>
          <Group gap="xs">
            <Text fw={600}>{provider.name}</Text>
            <StatusLabel status={provider.status} />
          </Group>
          <Text size="sm" c="dimmed">
            {KIND_LABELS[provider.kind]} · {toolCount(provider.tools)}
            {provider.url && ` · ${provider.url}`}
            {provider.command && ` · command ${provider.command}`}
            {provider.credentials_set.length > 0 &&
              ` · credentials: ${provider.credentials_set.map(credentialName).join(", ")}`}
            {provider.refreshed_at && (
              <>
                {" · refreshed "}
                <Time at={provider.refreshed_at} relative />
              </>
            )}
          </Text>
        </div>
        {isAdmin && provider.kind !== "builtin" && (
          <Group gap="xs">
            <Button size="xs" variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
              Refresh
            </Button>
            <Button size="xs" variant="default" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </Group>
        )}
      </Group>
      {provider.error && (
        <Text size="sm" mt={6} c="var(--mantine-color-error)">
          {provider.error}
        </Text>
      )}
      {provider.warnings.length > 0 && (
        <List size="sm" mt={6}>
          {provider.warnings.map((warning) => (
            <List.Item key={String(warning)}>{String(warning)}</List.Item>
          ))}
        </List>
      )}
      <ErrorNotice error={refresh.error} />
      <ConfirmDialog
        opened={removing}
        title={`Remove “${provider.name}”?`}
        action="Remove provider"
        mutation={remove}
        onConfirm={() => remove.mutate()}
        onClose={() => setRemoving(false)}
      >
        <Text size="sm">App tasks that use its tools will start failing.</Text>
      </ConfirmDialog>
    </>
  );
}
