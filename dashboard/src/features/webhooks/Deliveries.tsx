import { Group, Select, Stack, Table, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, unwrap } from "../../api/client";
import { usePagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { NoMatches } from "../../components/NoMatches";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { useFilters } from "../../components/useFilters";
import { EVENT_TYPES } from "./eventTypes";

/** Deliveries of the last 30 days and pending ones. */
export function Deliveries({ orgId }: { orgId: string }) {
  const filters = useFilters();
  const type = filters.get("type");
  const pages = usePagedQuery(
    ["organization", orgId, "webhook-deliveries", type],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/webhook-deliveries", {
          params: { path: { orgId }, query: { type, limit: 50, after } },
        }),
      ),
    { refetchInterval: 5_000 },
  );
  return (
    <Stack>
      <Group className="filters">
        <Select
          label="Event"
          placeholder="All"
          clearable
          data={[...EVENT_TYPES]}
          value={type ?? null}
          onChange={(value) => filters.set("type", value)}
        />
      </Group>
      <PagedTable
        pages={pages}
        columns={["Event", "Status", "Attempts", "Created", "Next attempt"]}
        minWidth={680}
        empty={
          filters.any ? (
            <NoMatches icon={IconSend} things="deliveries" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconSend} title="No deliveries yet">
              Deliveries appear when an event matches an endpoint, or a conversation has a callback_url.
            </EmptyState>
          )
        }
      >
        {(each) => (
          <Table.Tr key={each.id}>
            <Table.Td>
              <Link className="rowLink" to={`/organizations/${orgId}/webhooks/deliveries/${each.id}`}>
                {each.type}
              </Link>
              <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                {each.url}
              </Text>
            </Table.Td>
            <Table.Td>
              <StatusLabel status={each.state} />
            </Table.Td>
            <Table.Td data-label="Attempts">{each.attempt_count}</Table.Td>
            <Table.Td>
              <Time at={each.created_at} relative />
            </Table.Td>
            <Table.Td data-label="Next attempt">
              <Time at={each.next_attempt_at} relative />
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
    </Stack>
  );
}
