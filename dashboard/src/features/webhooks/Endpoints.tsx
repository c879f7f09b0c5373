import { Button, Card, Group, Stack, Switch, Text } from "@mantine/core";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { usePagedQuery } from "../../api/pagination";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { LoadMoreButton } from "../../components/LoadMoreButton";
import { useDialog } from "../../components/useDialog";
import { queryClient } from "../../queryClient";
import { NewEndpointDialog } from "./NewEndpointDialog";

const ONE = "/dashboard/api/organizations/{orgId}/webhook-endpoints/{endpointId}";

export function Endpoints({ orgId, isAdmin }: { orgId: string; isAdmin: boolean }) {
  const dialog = useDialog("add-endpoint");
  const pages = usePagedQuery(["organization", orgId, "webhook-endpoints"], (after) =>
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/webhook-endpoints", {
        params: { path: { orgId }, query: { limit: 50, after } },
      }),
    ),
  );
  const create = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      Add endpoint
    </Button>
  );
  return (
    <QueryBoundary query={pages}>
      {() => (
        <Stack>
          {pages.items.length === 0 ? (
            <EmptyState icon={IconWebhook} title="No endpoints yet" action={create}>
              An endpoint receives the events of all conversations, runs and tickets. A conversation can also
              have its own callback_url.
            </EmptyState>
          ) : (
            <Group>{create}</Group>
          )}
          {pages.items.map((endpoint) => (
            <EndpointCard key={endpoint.id} orgId={orgId} endpoint={endpoint} isAdmin={isAdmin} />
          ))}
          <LoadMoreButton pages={pages} />
          <NewEndpointDialog orgId={orgId} opened={isAdmin && dialog.opened} onClose={dialog.close} />
        </Stack>
      )}
    </QueryBoundary>
  );
}

interface Props {
  orgId: string;
  endpoint: Schemas["WebhookEndpoint"];
  isAdmin: boolean;
}

function EndpointCard({ orgId, endpoint, isAdmin }: Props) {
  const [removing, setRemoving] = useState(false);
  const params = { path: { orgId, endpointId: endpoint.id } };
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: ["organization", orgId, "webhook-endpoints"] });
  const enable = useMutation({
    mutationFn: (enabled: boolean) => unwrap(api.PATCH(ONE, { params, body: { enabled } })),
    onSuccess: refresh,
  });
  const remove = useMutation({ mutationFn: () => unwrap(api.DELETE(ONE, { params })), onSuccess: refresh });
  return (
    <Card withBorder>
      <Group justify="space-between" align="flex-start">
        <div>
          <Text fw={600} style={{ overflowWrap: "anywhere" }}>
            {endpoint.url}
          </Text>
          {endpoint.description && <Text size="sm">{endpoint.description}</Text>}
          <Text size="sm" c="dimmed">
            {endpoint.event_types.join(", ")} · signed with{" "}
            {endpoint.own_secret ? "its own" : "the organization’s"} secret
          </Text>
          {endpoint.disabled_reason && (
            <Text size="sm" c="var(--mantine-color-error)">
              {endpoint.disabled_reason}
            </Text>
          )}
        </div>
        {isAdmin && (
          <Group>
            <Switch
              label="Enabled"
              checked={endpoint.enabled}
              disabled={enable.isPending}
              aria-label={`Send events to ${endpoint.url}`}
              onChange={(event) => enable.mutate(event.currentTarget.checked)}
            />
            <Button size="xs" variant="default" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </Group>
        )}
      </Group>
      <ErrorNotice error={enable.error} />
      <ConfirmDialog
        opened={removing}
        title="Remove this endpoint?"
        action="Remove endpoint"
        mutation={remove}
        onConfirm={() => remove.mutate()}
        onClose={() => setRemoving(false)}
      >
        <Text size="sm">{endpoint.url} will stop receiving events.</Text>
      </ConfirmDialog>
    </Card>
  );
}
