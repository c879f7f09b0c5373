import { Anchor, Button, Group, List, Stack, Switch, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { UsageLinks, UsageWarning } from "../../components/UsedBy";
import { credentialNames } from "./credentials";
import { EditProviderDialog } from "./EditProviderDialog";
import { refreshTools } from "./ProviderFields";
import { KIND_LABELS, providerName } from "./providerKinds";

const ROUTE = "/dashboard/api/organizations/{orgId}/tool-providers/{providerId}";

const toolCount = (count: number) => `${count} ${count === 1 ? "tool" : "tools"}`;

interface Props {
  orgId: string;
  provider: Schemas["ToolProvider"];
  usage: Schemas["WorkflowUsage"] | undefined;
  isAdmin: boolean;
}

/** A provider with the status of its tools and the agents that use them. Admins can change, refresh and remove it. */
export function ProviderRow({ orgId, provider, usage, isAdmin }: Props) {
  const isBuiltIn = provider.kind === "builtin" || provider.kind === "workflow";
  const description =
    provider.kind === "workflow" ? "Published agents, which App tasks run like tools." : provider.description;
  return (
    <Stack gap={6}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0, flex: "1 1 320px" }}>
          <Group gap="xs">
            <Text fw={600}>{providerName(provider.name)}</Text>
            <StatusLabel status={provider.enabled ? provider.status : "Disabled"} />
          </Group>
          {description && <Text size="sm">{description}</Text>}
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {!isBuiltIn && `${KIND_LABELS[provider.kind]} · `}
            <Anchor component={Link} to={`?provider=${provider.id}`} preventScrollReset size="sm">
              {toolCount(provider.tools)}
            </Anchor>
            {provider.url && ` · ${provider.url}`}
            {provider.command && ` · command ${provider.command}`}
            {provider.uploaded && " · uploaded document"}
            {provider.credentials_set.length > 0 &&
              ` · credentials: ${credentialNames(provider.credentials_set)}`}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {provider.refreshed_at && (
              <>
                {provider.status === "FAILED" ? "Last refresh failed " : "Refreshed "}
                <Time at={provider.refreshed_at} relative />
                {" · "}
              </>
            )}
            Used by: <UsageLinks orgId={orgId} usage={usage} none="no agent" />
          </Text>
        </div>
        {isAdmin && !isBuiltIn && <ProviderActions orgId={orgId} provider={provider} />}
      </Group>
      {provider.error && (
        <Text size="sm" c="var(--mantine-color-error)" style={{ overflowWrap: "anywhere" }}>
          {provider.error}
        </Text>
      )}
      {provider.warnings.length > 0 && (
        <details>
          <Text size="sm" component="summary" style={{ cursor: "pointer" }}>
            {provider.warnings.length === 1 ? "1 warning" : `${provider.warnings.length} warnings`} of the
            last refresh
          </Text>
          <List size="sm" mt={4}>
            {provider.warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </details>
      )}
    </Stack>
  );
}

function ProviderActions({ orgId, provider }: Pick<Props, "orgId" | "provider">) {
  const [dialog, setDialog] = useState<"edit" | "remove" | null>(null);
  const params = { path: { orgId, providerId: provider.id } };
  const refresh = useMutation({
    mutationFn: () => unwrap(api.POST(`${ROUTE}/refresh`, { params })),
    onSuccess: async (found) => {
      notifications.show(
        found.status === "READY"
          ? { message: `${found.name} refreshed: ${toolCount(found.tools)}.` }
          : { message: `${found.name} can’t be refreshed.`, color: "red" },
      );
      await refreshTools(orgId);
    },
  });
  const enable = useMutation({
    mutationFn: (enabled: boolean) => unwrap(api.PATCH(ROUTE, { params, body: { enabled } })),
    onSuccess: () => refreshTools(orgId),
  });
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE(ROUTE, { params })),
    onSuccess: () => refreshTools(orgId),
  });
  return (
    <>
      <Group gap="xs">
        <Switch
          label="Enabled"
          aria-label={`Enable ${provider.name}`}
          checked={provider.enabled}
          disabled={enable.isPending}
          onChange={(event) => enable.mutate(event.currentTarget.checked)}
        />
        {provider.enabled && (
          <Button size="xs" variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
            Refresh now
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setDialog("edit")}>
          Edit
        </Button>
        <Button size="xs" variant="default" onClick={() => setDialog("remove")}>
          Remove
        </Button>
      </Group>
      <ErrorNotice error={refresh.error ?? enable.error} />
      <EditProviderDialog
        orgId={orgId}
        provider={provider}
        opened={dialog === "edit"}
        onClose={() => setDialog(null)}
      />
      <ConfirmDialog
        opened={dialog === "remove"}
        title={`Remove “${provider.name}”?`}
        action="Remove provider"
        mutation={remove}
        onConfirm={() => remove.mutate()}
        onClose={() => setDialog(null)}
      >
        <Text size="sm">
          Its credentials are deleted, and tasks that use its tools fail. To pause it, disable it instead.
        </Text>
        {dialog === "remove" && <UsageWarning orgId={orgId} kind="tool_provider" id={provider.id} />}
      </ConfirmDialog>
    </>
  );
}
