import { Group, Stack, Table } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { RowLink } from "../../components/PageLink";
import { useEndpoints } from "../../api";
import { DataTable } from "../../components/DataTable";
import { DimmedXs, AddButton } from "../../components/variants";
import { EmptyState } from "../../components/EmptyState";
import { QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
import { useDialog } from "../../components/useDialog";
import { LastFailure, SuccessRate } from "./Activity";
import { EVENT_TYPES } from "./eventTypes";
import { NewEndpointDialog } from "./NewEndpointDialog";

export function Endpoints({ isAdmin }: { isAdmin: boolean }) {
  const dialog = useDialog("add-endpoint");
  const query = useEndpoints();
  const create = isAdmin && <AddButton onClick={dialog.open}>Add endpoint</AddButton>;
  return (
    <QueryBoundary query={query}>
      {({ items }) => (
        <Stack>
          {items.length === 0 ? (
            <EmptyState icon={IconWebhook} title="No endpoints yet" action={create}>
              An endpoint receives the events of all conversations, runs and tickets. A conversation can also
              have its own callback_url.
            </EmptyState>
          ) : (
            <>
              <Group>{create}</Group>
              <DataTable
                columns={["URL", "Status", "Events", "Delivered", "Last failure"]}
                minWidth={760}
                highlightOnHover
              >
                {items.map((endpoint) => (
                  <Table.Tr key={endpoint.id}>
                    <Table.Td style={{ overflowWrap: "anywhere" }}>
                      <RowLink to={`webhooks/endpoints/${endpoint.id}`}>{endpoint.url}</RowLink>
                      {endpoint.description && <DimmedXs>{endpoint.description}</DimmedXs>}
                    </Table.Td>
                    <Table.Td>
                      <StatusLabel status={endpoint.enabled ? "enabled" : "disabled"} />
                    </Table.Td>
                    <Table.Td data-label="Events">{eventsText(endpoint.event_types)}</Table.Td>
                    <Table.Td data-label="Delivered">
                      <SuccessRate activity={endpoint.activity} />
                    </Table.Td>
                    <Table.Td data-label="Last failure">
                      <LastFailure activity={endpoint.activity} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </DataTable>
            </>
          )}
          <NewEndpointDialog opened={isAdmin && dialog.opened} onClose={dialog.close} />
        </Stack>
      )}
    </QueryBoundary>
  );
}

function eventsText(types: string[]): string {
  if (types.length === EVENT_TYPES.length) {
    return "All events";
  }
  return types.length === 1 ? types[0]! : `${types.length} events`;
}
