import { Autocomplete, Button, Group, Select, Table, Text, TextInput } from "@mantine/core";
import { IconHistory, IconLock } from "@tabler/icons-react";
import { api, ask, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { useMembers } from "../../api/queries";
import { Copy } from "../../parts/Copy";
import { EmptyState } from "../../parts/EmptyState";
import { Listing } from "../../parts/Listing";
import { NothingFits } from "../../parts/NothingFits";
import { Page } from "../../parts/Page";
import { Time } from "../../parts/Time";
import { useFilters } from "../../parts/useFilters";
import { ACTIONS, inWords } from "./actions";

/** Who changed what in the organization, when and from where. */
export default function AuditLogPage() {
  const isAdmin = useIsAdmin();
  return (
    <Page
      title="Audit log"
      about="What people changed in this organization, when and from where. Nothing here can be changed or removed."
    >
      {isAdmin ? (
        <Log />
      ) : (
        <EmptyState icon={IconLock} title="Only owners and admins read this">
          Ask one of them about what was changed, or to make you an admin.
        </EmptyState>
      )}
    </Page>
  );
}

/** What a field for date and time says, as the service reads it. */
function moment(local: string | undefined): string | undefined {
  const at = local ? new Date(local) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}

function Log() {
  const orgId = useOrganizationId();
  const { data: members = [] } = useMembers(orgId);
  const filters = useFilters();
  const user_id = filters.get("person");
  const action = filters.get("action");
  const since = moment(filters.get("from"));
  const until = moment(filters.get("until"));
  const pages = usePages(["organization", orgId, "audit-log", user_id, action, since, until], (after) =>
    ask(
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
            Show all
          </Button>
        )}
      </Group>
      <Listing
        pages={pages}
        columns={["Action", "Who", "When", "From", "Of what"]}
        minWidth={760}
        empty={
          filters.any ? (
            <NothingFits icon={IconHistory} things="entries" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconHistory} title="Nothing yet">
              As soon as somebody makes a key, changes a role or publishes an agent, it stands here.
            </EmptyState>
          )
        }
      >
        {(entry) => <Entry key={entry.id} of={entry} />}
      </Listing>
    </>
  );
}

function Entry({ of: entry }: { of: Schemas["AuditEntry"] }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {inWords(entry.action)}
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
            <Copy small text={entry.target} label={`Copy the id ${entry.target}`} />
          </Group>
        ) : (
          "–"
        )}
      </Table.Td>
    </Table.Tr>
  );
}
