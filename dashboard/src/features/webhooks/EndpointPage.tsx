import { Alert, Code, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconBan, IconRefresh, IconSend, IconTrash } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useParams } from "react-router";
import { TextLink, useGoTo } from "../../components/PageLink";
import {
  changeEndpoint,
  refreshEndpoints,
  useChange,
  useEndpoint,
  useIsAdmin,
  useOrganizationId,
  usePing,
  useRemoveEndpoint,
  useResendFailed,
  type Endpoint,
} from "../../api";
import { useActorName } from "../../components/actorNames";
import {
  SecondaryButton,
  SmallButton,
  SectionHeading,
  DimmedXs,
  WrappedText,
} from "../../components/variants";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { MoreMenu, MenuItem } from "../../components/MoreMenu";
import { Page } from "../../components/Page";
import { QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { LastFailure, SuccessRate } from "./Activity";
import { AttemptCharts } from "./AttemptCharts";
import { Deliveries } from "./Deliveries";
import { EditEndpointDialog } from "./EditEndpointDialog";
import { RecentDeliveries } from "./RecentDeliveries";
import { inOrder } from "./eventTypes";

/** An endpoint with its deliveries. */
export default function EndpointPage() {
  const { endpointId = "" } = useParams();
  const query = useEndpoint(endpointId);
  return (
    <QueryBoundary query={query}>
      {(endpoint) => <Details key={endpoint.id} endpoint={endpoint} />}
    </QueryBoundary>
  );
}

function Details({ endpoint }: { endpoint: Endpoint }) {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const goTo = useGoTo();
  const edit = useDialog("edit-endpoint");
  const ping = usePing(endpoint.id, {
    onSuccess: ({ id }) => goTo(`webhooks/deliveries/${id}`),
  });
  const enable = useChange({
    send: (enabled: boolean) => changeEndpoint(orgId, endpoint.id, endpoint.etag, { enabled }),
    done: ({ enabled }) => `Endpoint ${enabled ? "enabled" : "disabled"}.`,
    onSettled: () => refreshEndpoints(orgId),
  });
  return (
    <Page
      title={endpoint.url}
      back={{ to: "webhooks", label: "Webhooks" }}
      badge={<StatusLabel status={endpoint.enabled ? "enabled" : "disabled"} />}
      about={endpoint.description || undefined}
      actions={
        isAdmin && (
          <>
            <SecondaryButton
              leftSection={<IconSend size={16} />}
              disabled={!endpoint.enabled}
              loading={ping.isPending}
              onClick={() => ping.mutate()}
            >
              Send test event
            </SecondaryButton>
            <SecondaryButton onClick={edit.open}>Edit</SecondaryButton>
            <EndpointMenu endpoint={endpoint} onEnable={(enabled) => enable.mutate(enabled)} />
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
              <SmallButton loading={enable.isPending} onClick={() => enable.mutate(true)}>
                Enable
              </SmallButton>
            )}
          </Group>
        </Alert>
      )}
      <Facts endpoint={endpoint} />
      <AttemptCharts endpointId={endpoint.id} />
      <RecentDeliveries endpointId={endpoint.id} />
      <Stack gap="sm">
        <SectionHeading>Deliveries</SectionHeading>
        <Deliveries isAdmin={isAdmin} endpointId={endpoint.id} />
      </Stack>
      {isAdmin && <EditEndpointDialog endpoint={endpoint} opened={edit.opened} onClose={edit.close} />}
    </Page>
  );
}

function Facts({ endpoint }: { endpoint: Endpoint }) {
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
          <TextLink to="webhooks/secret">The organization’s secret</TextLink>
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
      <DimmedXs component="dt">{label}</DimmedXs>
      <Text size="sm" component="dd" m={0}>
        {children}
      </Text>
    </div>
  );
}

function EndpointMenu({ endpoint, onEnable }: { endpoint: Endpoint; onEnable: (enabled: boolean) => void }) {
  const orgId = useOrganizationId();
  const goTo = useGoTo();
  const [open, setOpen] = useState<"resend" | "remove" | null>(null);
  const close = () => setOpen(null);
  const remove = useRemoveEndpoint(endpoint, {
    done: "Endpoint removed.",
    onSuccess: () => goTo("webhooks", { replace: true }),
    onError: () => refreshEndpoints(orgId),
  });
  const resend = useResendFailed(endpoint.id, {
    done: ({ queued, more }) => {
      const things = queued === 1 ? "1 delivery is" : `${queued} deliveries are`;
      return `${queued === 0 ? "No deliveries are" : things} being sent again.${more ? " More are left: repeat this." : ""}`;
    },
    onSuccess: close,
  });
  return (
    <>
      <MoreMenu>
        <MenuItem
          icon={IconRefresh}
          label="Resend failed deliveries…"
          disabled={!endpoint.enabled}
          onClick={() => setOpen("resend")}
        />
        <MenuItem
          icon={IconBan}
          label={endpoint.enabled ? "Disable" : "Enable"}
          onClick={() => onEnable(!endpoint.enabled)}
        />
        <MenuItem icon={IconTrash} label="Remove…" danger onClick={() => setOpen("remove")} />
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
        All failed deliveries of the last 30 days are sent again, and those that wait for another attempt are
        sent now. Receivers can recognize duplicates by their webhook-id.
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === "remove"}
        title="Remove this endpoint?"
        action="Remove endpoint"
        mutation={remove}
        onConfirm={() => remove.mutate()}
        onClose={close}
      >
        <WrappedText>
          {endpoint.url} will stop receiving events. Waiting deliveries are cancelled.
        </WrappedText>
      </ConfirmDialog>
    </>
  );
}
