import { Table, Text, UnstyledButton } from "@mantine/core";
import { IconDownload, IconHistory, IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { useAuditLog, useIsAdmin, useMembers, useOrganizationId, type Schemas } from "../../api";
import { SecondaryButton, DimmedXs, WrappedText } from "../../components/variants";
import { EmptyState } from "../../components/EmptyState";
import { formatAddress } from "../../components/formatAddress";
import { EmptyList } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { InlineLink } from "../../components/PageLink";
import { PagedTable } from "../../components/PagedTable";
import { Time } from "../../components/Time";
import { listShortcuts, useListKeys } from "../../components/useListKeys";
import type { MeasuredRow } from "../../components/VirtualRows";
import { describeEntry } from "./actions";
import { AuditEntryDialog } from "./AuditEntryDialog";
import { AuditFilterBar } from "./AuditFilterBar";
import { useAuditQuery } from "./useAuditQuery";
import { summarizeChanges } from "./changes";
import { targetName, targetPath } from "./targets";

export default function AuditLogPage() {
  const isAdmin = useIsAdmin();
  const orgId = useOrganizationId();
  const query = useAuditQuery();
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const csv = `/dashboard/api/organizations/${orgId}/audit-log/export?${new URLSearchParams(given)}`;
  return (
    <Page
      title="Audit log"
      about="Changes to this organization: who made them, when and from where. Entries can’t be edited or deleted."
      actions={
        isAdmin && (
          <SecondaryButton
            component="a"
            href={csv.replace(/\?$/, "")}
            download
            leftSection={<IconDownload size={16} />}
          >
            Export CSV
          </SecondaryButton>
        )
      }
    >
      {isAdmin ? (
        <Log query={query} />
      ) : (
        <EmptyState icon={IconLock} title="Only owners and admins can view the audit log">
          Ask an owner or admin to give you access.
        </EmptyState>
      )}
    </Page>
  );
}

const SHORTCUTS = listShortcuts("Audit log", "entry", "entries");

function Log({ query }: { query: ReturnType<typeof useAuditQuery> }) {
  useListKeys(SHORTCUTS);
  const { data: members = [] } = useMembers();
  const pages = useAuditLog(query);
  const [shown, setShown] = useState<Schemas["AuditEntry"] | null>(null);
  const personOf = (entry: Schemas["AuditEntry"]) =>
    members.find((each) => each.id === entry.user_id)?.name ?? entry.actor;
  return (
    <>
      <AuditFilterBar members={members} entries={pages.items} />
      <PagedTable
        pages={pages}
        columns={["Action", "Person", "Time", "IP address"]}
        minWidth={760}
        empty={
          <EmptyList things="entries" icon={IconHistory} title="No entries yet">
            Actions such as creating keys, changing roles or publishing agents appear here.
          </EmptyList>
        }
      >
        {(entry) => (
          <Entry key={entry.id} of={entry} person={personOf(entry)} onOpen={() => setShown(entry)} />
        )}
      </PagedTable>
      <AuditEntryDialog entry={shown} person={shown ? personOf(shown) : ""} onClose={() => setShown(null)} />
    </>
  );
}

interface EntryProps extends MeasuredRow {
  of: Schemas["AuditEntry"];
  person: string;
  onOpen: () => void;
}

function Entry({ ref, "data-index": index, of: entry, person, onOpen }: EntryProps) {
  const orgId = useOrganizationId();
  const path = targetPath(orgId, entry);
  const name = targetName(entry);
  const changes = summarizeChanges(entry);
  return (
    <Table.Tr ref={ref} data-index={index}>
      <Table.Td>
        <WrappedText component="div">
          <UnstyledButton className="rowLink" fz="sm" onClick={onOpen} title="Show details">
            {describeEntry(entry)}
          </UnstyledButton>{" "}
          {path ? <InlineLink to={path}>{name}</InlineLink> : name}
        </WrappedText>
        {changes && (
          <DimmedXs lineClamp={2} style={{ overflowWrap: "anywhere" }}>
            {changes}
          </DimmedXs>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm">{person}</Text>
        {person !== entry.actor && <DimmedXs visibleFrom="sm">{entry.actor}</DimmedXs>}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Time at={entry.at} seconds />
        {entry.until && (
          <DimmedXs>
            until <Time at={entry.until} clock />
          </DimmedXs>
        )}
      </Table.Td>
      <Table.Td>{entry.address ? formatAddress(entry.address) : "–"}</Table.Td>
    </Table.Tr>
  );
}
