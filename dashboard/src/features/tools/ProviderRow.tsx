import { Button, Group, List, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { Confirm } from "../../parts/Confirm";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";
import { queryClient } from "../../queryClient";

const KINDS = { builtin: "Built in", mcp: "MCP server", openapi: "Web API (OpenAPI)" };

const CREDENTIALS: Record<string, string> = {
  bearer_token: "bearer token",
  username: "user name",
  password: "password",
  api_key: "API key",
};

/** Which credential it is; its value is never shown. */
function credential(name: string): string {
  return CREDENTIALS[name] ?? name.replace("headers.", "header ");
}

interface Props {
  orgId: string;
  provider: Schemas["ToolProvider"];
  isAdmin: boolean;
}

/** A provider with the state of its list of tools. Admins ask it anew and remove it. */
export function ProviderRow({ orgId, provider, isAdmin }: Props) {
  const [removing, setRemoving] = useState(false);
  const params = { path: { orgId, providerId: provider.id } };
  const done = async () => {
    await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tool-providers"] });
    await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tools"] });
  };
  const refresh = useMutation({
    mutationFn: () =>
      ask(api.POST("/dashboard/api/organizations/{orgId}/tool-providers/{providerId}/refresh", { params })),
    onSuccess: async (found) => {
      notifications.show({ message: `${found.name} offers ${found.tools} tools.` });
      await done();
    },
  });
  const remove = useMutation({
    mutationFn: () =>
      ask(api.DELETE("/dashboard/api/organizations/{orgId}/tool-providers/{providerId}", { params })),
    onSuccess: done,
  });
  return (
    <>
      <Group justify="space-between">
        <div>
          <Group gap="xs">
            <Text fw={600}>{provider.name}</Text>
            <Status of={provider.status} />
          </Group>
          <Text size="sm" c="dimmed">
            {KINDS[provider.kind]} · {provider.tools} tools
            {provider.url && ` · ${provider.url}`}
            {provider.command && ` · command ${provider.command}`}
            {provider.credentials_set.length > 0 &&
              ` · with ${provider.credentials_set.map(credential).join(", ")}`}
            {provider.refreshed_at && (
              <>
                {" · asked "}
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
      <Confirm
        opened={removing}
        title={`Remove ${provider.name}?`}
        action="Remove provider"
        sending={remove}
        onConfirm={() => remove.mutate()}
        onClose={() => setRemoving(false)}
      >
        <Text size="sm">App tasks that use its tools fail from now on.</Text>
      </Confirm>
    </>
  );
}
