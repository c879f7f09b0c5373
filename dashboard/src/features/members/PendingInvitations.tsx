import { Anchor, Button, Group, Stack, Table } from "@mantine/core";
import { useState } from "react";
import { PageLink } from "../../components/PageLink";
import { useMe, useMemberPages, type Schemas } from "../../api";
import { SectionHeading, Strong, DimmedXs, SmallButton, ErrorText } from "../../components/variants";
import { PagedTable } from "../../components/PagedTable";
import { Time } from "../../components/Time";
import { MemberTeams } from "./MemberTeams";

interface Props {
  searched: string;
  isAdmin: boolean;
  /** The ID of the person whose invitation is being sent again. */
  resending: string | undefined;
  onResend: (member: Schemas["Member"]) => void;
  onRevoke: (member: Schemas["Member"]) => void;
}

/** Pending invitations; hidden if there are none. */
export function PendingInvitations({ searched, isAdmin, resending, onResend, onRevoke }: Props) {
  // Without an email server, the admin passes the new link on.
  const isMailed = useMe().data?.emails_sent ?? true;
  const pages = useMemberPages("invited", searched);
  if (pages.items.length === 0 && !pages.error) {
    return null;
  }
  return (
    <Stack gap="xs" component="section" aria-labelledby="invitations">
      <SectionHeading id="invitations">Pending invitations</SectionHeading>
      <PagedTable
        pages={pages}
        columns={["Person", "Role", "Teams", "Invited by", "Expires", { hiddenLabel: "Actions" }]}
        minWidth={720}
        empty={null}
      >
        {(person) => (
          <Table.Tr key={person.id}>
            <Table.Td>
              <Strong>{person.name}</Strong>
              <DimmedXs style={{ overflowWrap: "anywhere" }}>{person.email}</DimmedXs>
            </Table.Td>
            <Table.Td tt="capitalize">{person.role}</Table.Td>
            <Table.Td data-label="Teams">
              <MemberTeams teamIds={person.team_ids} />
            </Table.Td>
            <Table.Td data-label="Invited by">{person.invited_by ?? "–"}</Table.Td>
            <Table.Td data-label="Expires">
              {person.invitation_failed ? (
                <Anchor
                  component={PageLink}
                  size="sm"
                  c="var(--mantine-color-error)"
                  to={`emails?search=${encodeURIComponent(person.email)}`}
                >
                  Email not delivered
                </Anchor>
              ) : (
                <Expiry at={person.invitation_expires_at} />
              )}
            </Table.Td>
            <Table.Td>
              {isAdmin && (
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <SmallButton
                    aria-label={
                      isMailed ? `Resend the invitation of ${person.name}` : `New link for ${person.name}`
                    }
                    loading={resending === person.id}
                    onClick={() => onResend(person)}
                  >
                    {isMailed ? "Resend" : "New link"}
                  </SmallButton>
                  <Button
                    size="xs"
                    variant="subtle"
                    color="red"
                    aria-label={`Revoke the invitation of ${person.name}`}
                    onClick={() => onRevoke(person)}
                  >
                    Revoke
                  </Button>
                </Group>
              )}
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
    </Stack>
  );
}

function Expiry({ at }: { at: string | null | undefined }) {
  const [opened] = useState(Date.now);
  if (!at || new Date(at).getTime() < opened) {
    return <ErrorText span>Expired</ErrorText>;
  }
  return <Time at={at} relative />;
}
