import { Group, Stack, Table } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { TextLink, RowLink } from "../../components/PageLink";
import { useDeliveries, useEndpoints, useResend, type Schemas } from "../../api";
import { DimmedXs, SmallButton } from "../../components/variants";
import { SelectFilter } from "../../components/filters";
import { ErrorNotice } from "../../components/ErrorNotice";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { EmptyList } from "../../components/NoMatches";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { useFilters } from "../../components/useFilters";
import { listShortcuts, useListKeys } from "../../components/useListKeys";
import type { MeasuredRow } from "../../components/VirtualRows";
import { lastResponse, resendLabel, STATE_OPTIONS } from "./deliveryStates";
import { EVENT_TYPES, PING } from "./eventTypes";

interface Props {
  isAdmin: boolean;
  /** Lists the deliveries of this endpoint only. */
  endpointId?: string;
}

const SHORTCUTS = listShortcuts("Webhook deliveries", "delivery");

/** Deliveries of the last 30 days and pending ones. */
export function Deliveries({ isAdmin, endpointId }: Props) {
  useListKeys(SHORTCUTS);
  const filters = useFilters();
  const type = ([...EVENT_TYPES, PING] as const).find((each) => each === filters.get("type"));
  const state = STATE_OPTIONS.find(({ value }) => value === filters.get("state"))?.value;
  const endpoint = endpointId ?? filters.get("endpoint");
  const pages = useDeliveries({ type, state, endpoint });
  const resend = useResend();
  return (
    <Stack>
      {!isBlank(pages, filters.any) && (
        <Group className="filters">
          <SelectFilter param="state" label="Status" w={150} data={STATE_OPTIONS} />
          <SelectFilter param="type" label="Event" w={260} data={[...EVENT_TYPES, PING]} />
          {!endpointId && <EndpointFilter />}
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
          <EmptyList things="deliveries" icon={IconSend} title="No deliveries yet">
            {endpointId
              ? "Deliveries appear when an event matches this endpoint. Send a test event to check it."
              : "Deliveries appear when an event matches an endpoint, or a conversation has a callback_url."}
          </EmptyList>
        }
      >
        {(each) => (
          <DeliveryRow
            key={each.id}
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

function EndpointFilter() {
  const { data } = useEndpoints();
  return (
    <SelectFilter
      param="endpoint"
      label="Endpoint"
      searchable
      w={300}
      data={(data?.items ?? []).map(({ id, url }) => ({ value: id, label: url }))}
    />
  );
}

interface RowProps extends MeasuredRow {
  of: Schemas["WebhookDelivery"];
  showUrl: boolean;
  isResending: boolean;
  onResend?: () => void;
}

function DeliveryRow(props: RowProps) {
  const { ref, "data-index": index, of: delivery, showUrl, isResending, onResend } = props;
  const label = resendLabel(delivery.state);
  return (
    <Table.Tr ref={ref} data-index={index}>
      <Table.Td>
        <RowLink to={`webhooks/deliveries/${delivery.id}`}>{delivery.type}</RowLink>
        {showUrl && <DimmedXs style={{ overflowWrap: "anywhere" }}>{delivery.url}</DimmedXs>}
      </Table.Td>
      <Table.Td>
        <StatusLabel status={delivery.state} />
        {delivery.blocked_by ? (
          <DimmedXs component="span" display="block" mt={2}>
            Queued behind an{" "}
            <TextLink to={`webhooks/deliveries/${delivery.blocked_by}`}>earlier event</TextLink>
          </DimmedXs>
        ) : (
          delivery.next_attempt_at && (
            <DimmedXs component="span" display="block" mt={2}>
              Next attempt <Time at={delivery.next_attempt_at} relative />
            </DimmedXs>
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
          <SmallButton loading={isResending} aria-label={`${label}: ${delivery.type}`} onClick={onResend}>
            {label}
          </SmallButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
