import { Alert, Anchor, Button, Code, Group, Menu, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconBan, IconRefresh, IconSend, IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, unwrap } from "../../api/client";
import { useActorName, useIsAdmin, useOrganizationId } from "../../api/organization";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { MoreMenu } from "../../components/MoreMenu";
import { Page } from "../../components/Page";
import { QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { queryClient } from "../../queryClient";
import { LastFailure, SuccessRate } from "./Activity";
import { AttemptCharts } from "./AttemptCharts";
import { Deliveries } from "./Deliveries";
import { EditEndpointDialog } from "./EditEndpointDialog";
import { RecentDeliveries } from "./RecentDeliveries";
import { inOrder } from "./eventTypes";
import { ENDPOINT, refreshEndpoints, useEndpoint, type Endpoint } from "./endpointQueries";

/** An endpoint with its deliveries. */
export default function EndpointPage() {
  const orgId = useOrganizationId();
  const { endpointId = "" } = useParams();
  const query = useEndpoint(orgId, endpointId);
  return (
    <QueryBoundary query={query}>
      {(endpoint) => <Details key={endpoint.id} orgId={orgId} endpoint={endpoint} />}
    </QueryBoundary>
  );
}

function Details({ orgId, endpoint }: { orgId: string; endpoint: Endpoint }) {
  const isAdmin = useIsAdmin();
  const navigate = useNavigate();
  const edit = useDialog("edit-endpoint");
  const path = { orgId, endpointId: endpoint.id };
  const ping = useMutation({
    mutationFn: () => unwrap(api.POST(`${ENDPOINT}/ping`, { params: { path } })),
    onSuccess: ({ id }) => navigate(`/organizations/${orgId}/webhooks/deliveries/${id}`),
  });
  const enable = useMutation({
    mutationFn: (enabled: boolean) =>
      unwrap(
        api.PATCH(ENDPOINT, {
          params: { path, header: { "If-Match": endpoint.etag } },
          body: { enabled },
        }),
      ),
    onSuccess: ({ enabled }) =>
      notifications.show({ message: `Endpoint ${enabled ? "enabled" : "disabled"}.` }),
    onSettled: () => refreshEndpoints(orgId),
  });
  return (
    <Page
      title={endpoint.url}
      back={{ to: `/organizations/${orgId}/webhooks`, label: "Webhooks" }}
      badge={<StatusLabel status={endpoint.enabled ? "enabled" : "disabled"} />}
      about={endpoint.description || undefined}
      actions={
        isAdmin && (
          <>
            <Button
              variant="default"
              leftSection={<IconSend size={16} />}
              disabled={!endpoint.enabled}
              loading={ping.isPending}
              onClick={() => ping.mutate()}
            >
              Send test event
            </Button>
            <Button variant="default" onClick={edit.open}>
              Edit
            </Button>
            <EndpointMenu orgId={orgId} endpoint={endpoint} onEnable={(enabled) => enable.mutate(enabled)} />
          </>
        )
      }
    >
      <ErrorNotice error={ping.error ?? enable.error} />
      {!endpoint.enabled && (
        <Alert color="yellow" title="This endpoint receives no events">
          <Group justify="space-between">
            <Text size="sm">{endpoint.disabled_reason ?? "It is disabled."}</Text>
            {isAdmin && (
              <Button
                size="xs"
                variant="default"
                loading={enable.isPending}
                onClick={() => enable.mutate(true)}
              >
                Enable
              </Button>
            )}
          </Group>
        </Alert>
      )}
      <Facts orgId={orgId} endpoint={endpoint} />
      <AttemptCharts orgId={orgId} endpointId={endpoint.id} />
      <RecentDeliveries orgId={orgId} endpointId={endpoint.id} />
      <Stack gap="sm">
        <Title order={2} size="h4">
          Deliveries
        </Title>
        <Deliveries orgId={orgId} isAdmin={isAdmin} endpointId={endpoint.id} />
      </Stack>
      {isAdmin && (
        <EditEndpointDialog orgId={orgId} endpoint={endpoint} opened={edit.opened} onClose={edit.close} />
      )}
    </Page>
  );
}

function Facts({ orgId, endpoint }: { orgId: string; endpoint: Endpoint }) {
  const isAdmin = useIsAdmin();
  const nameOf = useActorName();
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} component="dl" m={0}>
      <Fact label="Delivered">
        <SuccessRate activity={endpoint.activity} />
      </Fact>
      <Fact label="Last failure">
        <LastFailure activity={endpoint.activity} />
      </Fact>
      <Fact label="Signed with">
        {endpoint.own_secret ? (
          "Its own secret"
        ) : isAdmin ? (
          <Anchor component={Link} inherit to={`/organizations/${orgId}/webhooks/secret`}>
            The organization’s secret
          </Anchor>
        ) : (
          "The organization’s secret"
        )}
      </Fact>
      <Fact label="Created">
        <Time at={endpoint.created_at} /> by {nameOf(endpoint.created_by)}
      </Fact>
      <Fact label="Events" wide>
        <Group gap={6}>
          {inOrder(endpoint.event_types).map((type) => (
            <Code key={type}>{type}</Code>
          ))}
        </Group>
      </Fact>
    </SimpleGrid>
  );
}

function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div style={wide ? { gridColumn: "1 / -1" } : undefined}>
      <Text size="xs" c="dimmed" component="dt">
        {label}
      </Text>
      <Text size="sm" component="dd" m={0}>
        {children}
      </Text>
    </div>
  );
}

interface MenuProps {
  orgId: string;
  endpoint: Endpoint;
  onEnable: (enabled: boolean) => void;
}

function EndpointMenu({ orgId, endpoint, onEnable }: MenuProps) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<"resend" | "remove" | null>(null);
  const close = () => setOpen(null);
  const path = { orgId, endpointId: endpoint.id };
  const remove = useMutation({
    mutationFn: () =>
      unwrap(api.DELETE(ENDPOINT, { params: { path, header: { "If-Match": endpoint.etag } } })),
    onSuccess: async () => {
      notifications.show({ message: "Endpoint removed." });
      await navigate(`/organizations/${orgId}/webhooks`, { replace: true });
      await refreshEndpoints(orgId);
    },
    onError: () => refreshEndpoints(orgId),
  });
  const resend = useMutation({
    mutationFn: () => unwrap(api.POST(`${ENDPOINT}/replay-failed`, { params: { path } })),
    onSuccess: async ({ queued, more }) => {
      const things = queued === 1 ? "1 delivery is" : `${queued} deliveries are`;
      notifications.show({
        message: `${queued === 0 ? "No deliveries are" : things} being sent again.${more ? " More are left: repeat this." : ""}`,
      });
      close();
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "webhook-deliveries"] });
      await refreshEndpoints(orgId);
    },
  });
  return (
    <>
      <MoreMenu>
        <Menu.Item
          leftSection={<IconRefresh size={16} />}
          disabled={!endpoint.enabled}
          onClick={() => setOpen("resend")}
        >
          Resend failed deliveries…
        </Menu.Item>
        <Menu.Item leftSection={<IconBan size={16} />} onClick={() => onEnable(!endpoint.enabled)}>
          {endpoint.enabled ? "Disable" : "Enable"}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={16} />}
          c="var(--mantine-color-error)"
          onClick={() => setOpen("remove")}
        >
          Remove…
        </Menu.Item>
      </MoreMenu>
      <ConfirmDialog
        opened={open === "resend"}
        harmless
        title="Resend failed deliveries?"
        action="Resend"
        mutation={resend}
        onConfirm={() => resend.mutate()}
        onClose={close}
      >
        <Text size="sm">
          All failed deliveries of the last 30 days are sent again, and those that wait for another attempt
          are sent now. Receivers can recognize duplicates by their webhook-id.
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === "remove"}
        title="Remove this endpoint?"
        action="Remove endpoint"
        mutation={remove}
        onConfirm={() => remove.mutate()}
        onClose={close}
      >
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {endpoint.url} will stop receiving events. Waiting deliveries are cancelled.
        </Text>
      </ConfirmDialog>
    </>
  );
}
