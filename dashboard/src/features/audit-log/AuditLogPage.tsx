import { Autocomplete, Button, Group, Select, Table, Text, TextInput } from "@mantine/core";
import { IconHistory, IconLock } from "@tabler/icons-react";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { useMembers } from "../../api/queries";
import { CopyButton } from "../../components/CopyButton";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { useFilters } from "../../components/useFilters";
import { ACTIONS, describeAction } from "./actions";

export default function AuditLogPage() {
  const isAdmin = useIsAdmin();
  return (
    <Page
      title="Audit log"
      about="Changes to this organization: who made them, when and from where. Entries can’t be edited or deleted."
    >
      {isAdmin ? (
        <Log />
      ) : (
        <EmptyState icon={IconLock} title="Only owners and admins can view the audit log">
          Ask an owner or admin to give you access.
        </EmptyState>
      )}
    </Page>
  );
}

/** Converts the value of a date and time field to the format of the API. */
function toIsoTime(local: string | undefined): string | undefined {
  const at = local ? new Date(local) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}

function Log() {
  const orgId = useOrganizationId();
  const { data: members = [] } = useMembers(orgId);
  const filters = useFilters();
  const user_id = filters.get("person");
  const action = filters.get("action");
  const since = toIsoTime(filters.get("from"));
  const until = toIsoTime(filters.get("until"));
  const pages = usePagedQuery(["organization", orgId, "audit-log", user_id, action, since, until], (after) =>
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/audit-log", {
        params: { path: { orgId }, query: { user_id, action, since, until, limit: 50, after } },
      }),
    ),
  );
  return (
    <>
      <Group align="flex-end" className="filters">
        <Select
          label="Person"
          placeholder="All"
          clearable
          searchable
          data={members.map((each) => ({ value: each.id, label: each.name }))}
          value={user_id ?? null}
          onChange={(value) => filters.set("person", value)}
        />
        <Autocomplete
          label="Action"
          placeholder="All"
          clearable
          data={ACTIONS}
          value={action ?? ""}
          onChange={(value) => filters.set("action", value)}
        />
        <TextInput
          label="From"
          type="datetime-local"
          value={filters.get("from") ?? ""}
          onChange={(event) => filters.set("from", event.currentTarget.value)}
        />
        <TextInput
          label="Until"
          type="datetime-local"
          value={filters.get("until") ?? ""}
          onChange={(event) => filters.set("until", event.currentTarget.value)}
        />
        {filters.any && (
          <Button variant="subtle" onClick={filters.clear}>
            Clear filters
          </Button>
        )}
      </Group>
      <PagedTable
        pages={pages}
        columns={["Action", "Person", "Time", "IP address", "Target"]}
        minWidth={760}
        empty={
          filters.any ? (
            <NoMatches icon={IconHistory} things="entries" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconHistory} title="No entries yet">
              Actions such as creating keys, changing roles or publishing agents appear here.
            </EmptyState>
          )
        }
      >
        {(entry) => <Entry key={entry.id} of={entry} />}
      </PagedTable>
    </>
  );
}

function Entry({ of: entry }: { of: Schemas["AuditEntry"] }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {describeAction(entry.action)}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {entry.action}
        </Text>
      </Table.Td>
      <Table.Td>{entry.actor}</Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Time at={entry.at} seconds />
      </Table.Td>
      <Table.Td maw={220}>
        <Text size="sm">{entry.address ?? "–"}</Text>
        <Text size="xs" c="dimmed" truncate visibleFrom="sm" title={entry.user_agent ?? undefined}>
          {entry.user_agent}
        </Text>
      </Table.Td>
      <Table.Td>
        {entry.target ? (
          <Group gap={2} wrap="nowrap">
            <Text size="xs" ff="monospace" truncate maw={110} title={entry.target}>
              {entry.target}
            </Text>
            <CopyButton small text={entry.target} label={`Copy ID ${entry.target}`} />
          </Group>
        ) : (
          "–"
        )}
      </Table.Td>
    </Table.Tr>
  );
}
