import { Anchor, Group, Modal, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useOrganizationId, type Schemas } from "../../api";
import { Dimmed, WrappedText } from "../../components/variants";
import { CopyButton } from "../../components/CopyButton";
import { formatAddress } from "../../components/formatAddress";
import { formatUtc, Time } from "../../components/Time";
import { browserName } from "../account/browserName";
import { describeEntry } from "./actions";
import { fieldLabel, formatSide } from "./changes";
import { targetName, targetPath } from "./targets";

interface Props {
  entry: Schemas["AuditEntry"] | null;
  person: string;
  onClose: () => void;
}

/** Everything that is known about an entry. */
export function AuditEntryDialog({ entry, person, onClose }: Props) {
  return (
    <Modal opened={entry !== null} onClose={onClose} size="lg" title={entry && describeEntry(entry)}>
      {entry && (
        <Stack>
          <Facts entry={entry} person={person} onClose={onClose} />
          {entry.changes.length > 0 && (
            <Table aria-label="Changes" layout="fixed">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Field</Table.Th>
                  <Table.Th>Before</Table.Th>
                  <Table.Th>After</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody style={{ overflowWrap: "anywhere" }}>
                {entry.changes.map(({ field, before, after }) => (
                  <Table.Tr key={field}>
                    <Table.Td>{fieldLabel(field)}</Table.Td>
                    <Table.Td data-label="Before">{formatSide(entry, field, before)}</Table.Td>
                    <Table.Td data-label="After">{formatSide(entry, field, after)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
          {entry.until && (
            <Dimmed>
              This entry covers several saves within an hour. The changes are those of all of them.
            </Dimmed>
          )}
        </Stack>
      )}
    </Modal>
  );
}

interface FactsProps {
  entry: Schemas["AuditEntry"];
  person: string;
  onClose: () => void;
}

function Facts({ entry, person, onClose }: FactsProps) {
  const orgId = useOrganizationId();
  const path = targetPath(orgId, entry);
  return (
    <Stack gap={6}>
      {entry.target && (
        <Fact label="Target" filter={{ target: entry.target }} onFilter={onClose}>
          {path ? (
            <Anchor component={Link} to={path} size="sm">
              {targetName(entry)}
            </Anchor>
          ) : (
            <>
              {targetName(entry)}
              {!entry.target_exists && <Dimmed span>{" (deleted)"}</Dimmed>}
            </>
          )}
        </Fact>
      )}
      {entry.target && <CopiedFact label="Target ID" text={entry.target} />}
      <Fact label="Person" filter={{ person: entry.user_id }} onFilter={onClose}>
        {person === entry.actor ? person : `${person} · ${entry.actor}`}
      </Fact>
      <Fact label="Time">
        <Time at={entry.at} seconds /> · {formatUtc(entry.at)}
      </Fact>
      {entry.until && (
        <Fact label="Last save">
          <Time at={entry.until} seconds /> · {formatUtc(entry.until)}
        </Fact>
      )}
      <Fact label="IP address">
        {entry.address ? formatAddress(entry.address) : "–"}
        {entry.address && formatAddress(entry.address) !== entry.address && ` (${entry.address})`}
      </Fact>
      <Fact label="Browser">
        {entry.user_agent ? <span title={entry.user_agent}>{browserName(entry.user_agent)}</span> : "–"}
      </Fact>
      <Fact label="Action" filter={{ action: entry.action }} onFilter={onClose}>
        {entry.action}
      </Fact>
      {entry.request_id && <CopiedFact label="Request ID" text={entry.request_id} />}
    </Stack>
  );
}

interface FactProps {
  label: string;
  /** The filter for all entries with this fact. */
  filter?: Record<string, string>;
  onFilter?: () => void;
  children: ReactNode;
}

function Fact({ label, filter, onFilter, children }: FactProps) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Dimmed w={90} flex="none">
        {label}
      </Dimmed>
      <WrappedText component="div">
        {children}
        {filter && (
          <Anchor
            component={Link}
            to={`?${new URLSearchParams(filter)}`}
            size="xs"
            ml="sm"
            aria-label={`All entries with this ${label.toLowerCase()}`}
            onClick={onFilter}
          >
            All entries
          </Anchor>
        )}
      </WrappedText>
    </Group>
  );
}

function CopiedFact({ label, text }: { label: string; text: string }) {
  return (
    <Fact label={label}>
      <Group gap={2} wrap="nowrap">
        <Text size="xs" ff="monospace" style={{ overflowWrap: "anywhere" }}>
          {text}
        </Text>
        <CopyButton small text={text} label={`Copy ${label}`} />
      </Group>
    </Fact>
  );
}
