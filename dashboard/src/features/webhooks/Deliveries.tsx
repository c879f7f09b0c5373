import { Group, Select, Stack, Table, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, ask } from "../../api/client";
import { usePages } from "../../api/pages";
import { EmptyState } from "../../parts/EmptyState";
import { Listing } from "../../parts/Listing";
import { NothingFits } from "../../parts/NothingFits";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";
import { useFilters } from "../../parts/useFilters";
import { EVENT_TYPES } from "./eventTypes";

/** What was sent in the last 30 days, and what is still to be sent. */
export function Deliveries({ orgId }: { orgId: string }) {
  const filters = useFilters();
  const type = filters.get("type");
  const pages = usePages(
    ["organization", orgId, "webhook-deliveries", type],
    (after) =>
      ask(
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
      <Listing
        pages={pages}
        columns={["Event", "State", "Attempts", "When", "Next"]}
        minWidth={680}
        empty={
          filters.any ? (
            <NothingFits icon={IconSend} things="deliveries" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconSend} title="Nothing was sent">
              Deliveries appear when a conversation with a callback_url, or anything that an endpoint asks
              for, has an event.
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
              <Status of={each.state} />
            </Table.Td>
            <Table.Td data-label="Attempts">{each.attempt_count}</Table.Td>
            <Table.Td>
              <Time at={each.created_at} relative />
            </Table.Td>
            <Table.Td data-label="Next">
              <Time at={each.next_attempt_at} relative />
            </Table.Td>
          </Table.Tr>
        )}
      </Listing>
    </Stack>
  );
}
