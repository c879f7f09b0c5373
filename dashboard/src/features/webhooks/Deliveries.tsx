import { Anchor, Button, Group, Select, Stack, Table, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { usePagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { ErrorNotice } from "../../components/ErrorNotice";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { NoMatches } from "../../components/NoMatches";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { useFilters } from "../../components/useFilters";
import { listShortcuts, useListKeys } from "../../components/useListKeys";
import type { MeasuredRow } from "../../components/VirtualRows";
import { lastResponse, resendLabel, STATE_OPTIONS } from "./deliveryStates";
import { useEndpoints } from "./endpointQueries";
import { EVENT_TYPES, PING } from "./eventTypes";
import { useResend } from "./useResend";

interface Props {
  orgId: string;
  isAdmin: boolean;
  /** Lists the deliveries of this endpoint only. */
  endpointId?: string;
}

const SHORTCUTS = listShortcuts("Webhook deliveries", "delivery");

/** Deliveries of the last 30 days and pending ones. */
export function Deliveries({ orgId, isAdmin, endpointId }: Props) {
  useListKeys(SHORTCUTS);
  const filters = useFilters();
  const type = ([...EVENT_TYPES, PING] as const).find((each) => each === filters.get("type"));
  const state = STATE_OPTIONS.find(({ value }) => value === filters.get("state"))?.value;
  const endpoint = endpointId ?? filters.get("endpoint");
  const pages = usePagedQuery(
    ["organization", orgId, "webhook-deliveries", type, state, endpoint],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/webhook-deliveries", {
          params: { path: { orgId }, query: { type, state, endpoint, limit: 50, after } },
        }),
      ),
    { refetchInterval: 5_000, idOf: (delivery) => delivery.id, keepPrevious: true },
  );
  const resend = useResend(orgId);
  return (
    <Stack>
      {!isBlank(pages, filters.any) && (
        <Group className="filters">
          <Select
            label="Status"
            placeholder="All"
            clearable
            w={150}
            data={[...STATE_OPTIONS]}
            value={state ?? null}
            onChange={(value) => filters.set("state", value)}
          />
          <Select
            label="Event"
            placeholder="All"
            clearable
            w={260}
            data={[...EVENT_TYPES, PING]}
            value={type ?? null}
            onChange={(value) => filters.set("type", value)}
          />
          {!endpointId && (
            <EndpointFilter
              orgId={orgId}
              value={endpoint ?? null}
              onChange={(value) => filters.set("endpoint", value)}
            />
          )}
        </Group>
      )}
      <ErrorNotice error={resend.error} />
      <PagedTable
        pages={pages}
        columns={[
          "Event",
          "Status",
          "Response",
          "Attempts",
          "Created",
          { hiddenLabel: "Actions", width: 120 },
        ]}
        minWidth={680}
        empty={
          filters.any ? (
            <NoMatches icon={IconSend} things="deliveries" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconSend} title="No deliveries yet">
              {endpointId
                ? "Deliveries appear when an event matches this endpoint. Send a test event to check it."
                : "Deliveries appear when an event matches an endpoint, or a conversation has a callback_url."}
            </EmptyState>
          )
        }
      >
        {(each) => (
          <DeliveryRow
            key={each.id}
            orgId={orgId}
            of={each}
            showUrl={!endpoint}
            isResending={resend.isPending && resend.variables.id === each.id}
            onResend={isAdmin ? () => resend.mutate(each) : undefined}
          />
        )}
      </PagedTable>
    </Stack>
  );
}

interface FilterProps {
  orgId: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

function EndpointFilter({ orgId, value, onChange }: FilterProps) {
  const { data } = useEndpoints(orgId);
  return (
    <Select
      label="Endpoint"
      placeholder="All"
      clearable
      searchable
      w={300}
      data={(data?.items ?? []).map(({ id, url }) => ({ value: id, label: url }))}
      value={value}
      onChange={onChange}
    />
  );
}

interface RowProps extends MeasuredRow {
  orgId: string;
  of: Schemas["WebhookDelivery"];
  showUrl: boolean;
  isResending: boolean;
  onResend?: () => void;
}

function DeliveryRow(props: RowProps) {
  const { ref, "data-index": index, orgId, of: delivery, showUrl, isResending, onResend } = props;
  const label = resendLabel(delivery.state);
  return (
    <Table.Tr ref={ref} data-index={index}>
      <Table.Td>
        <Link className="rowLink" to={`/organizations/${orgId}/webhooks/deliveries/${delivery.id}`}>
          {delivery.type}
        </Link>
        {showUrl && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {delivery.url}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StatusLabel status={delivery.state} />
        {delivery.blocked_by ? (
          <Text size="xs" c="dimmed" component="span" display="block" mt={2}>
            Queued behind an{" "}
            <Anchor
              component={Link}
              inherit
              to={`/organizations/${orgId}/webhooks/deliveries/${delivery.blocked_by}`}
            >
              earlier event
            </Anchor>
          </Text>
        ) : (
          delivery.next_attempt_at && (
            <Text size="xs" c="dimmed" component="span" display="block" mt={2}>
              Next attempt <Time at={delivery.next_attempt_at} relative />
            </Text>
          )
        )}
      </Table.Td>
      <Table.Td data-label="Response">{lastResponse(delivery) ?? "–"}</Table.Td>
      <Table.Td data-label="Attempts">{delivery.attempt_count}</Table.Td>
      <Table.Td>
        <Time at={delivery.created_at} relative />
      </Table.Td>
      <Table.Td>
        {onResend && label && (
          <Button
            size="xs"
            variant="default"
            loading={isResending}
            aria-label={`${label}: ${delivery.type}`}
            onClick={onResend}
          >
            {label}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
