import { Group, Select, Stack, Table, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link, useSearchParams } from "react-router";
import { api, ask } from "../../api/client";
import { usePages } from "../../api/pages";
import { EmptyState } from "../../parts/EmptyState";
import { Loaded } from "../../parts/Loaded";
import { More } from "../../parts/More";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";
import { EVENT_TYPES } from "./eventTypes";

/** What was sent in the last 30 days, and what is still to be sent. */
export function Deliveries({ orgId }: { orgId: string }) {
  const [search, setSearch] = useSearchParams();
  const type = search.get("type") ?? undefined;
  const pages = usePages(
    ["organization", orgId, "webhook-deliveries", type],
    (after) =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/webhook-deliveries", {
          params: { path: { orgId }, query: { type, limit: "50", after } },
        }),
      ),
    { refetchInterval: 5_000 },
  );
  return (
    <Stack>
      <Group>
        <Select
          label="Event"
          placeholder="All"
          clearable
          data={[...EVENT_TYPES]}
          value={type ?? null}
          onChange={(value) => setSearch(value ? { type: value } : {}, { replace: true })}
        />
      </Group>
      <Loaded query={pages}>
        {() =>
          pages.items.length === 0 ? (
            <EmptyState icon={IconSend} title="Nothing was sent">
              Deliveries appear when a conversation with a callback_url, or anything that an endpoint asks
              for, has an event.
            </EmptyState>
          ) : (
            <Stack>
              <Table.ScrollContainer minWidth={680}>
                <Table highlightOnHover>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Event</Table.Th>
                      <Table.Th>State</Table.Th>
                      <Table.Th>Attempts</Table.Th>
                      <Table.Th>When</Table.Th>
                      <Table.Th>Next</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {pages.items.map((each) => (
                      <Table.Tr key={each.id}>
                        <Table.Td>
                          <Link
                            className="rowLink"
                            to={`/organizations/${orgId}/webhooks/deliveries/${each.id}`}
                          >
                            {each.type}
                          </Link>
                          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                            {each.url}
                          </Text>
                        </Table.Td>
                        <Table.Td>
                          <Status of={each.state} />
                        </Table.Td>
                        <Table.Td>{each.attempt_count}</Table.Td>
                        <Table.Td>
                          <Time at={each.created_at} relative />
                        </Table.Td>
                        <Table.Td>
                          <Time at={each.next_attempt_at} relative />
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              <More pages={pages} />
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}
