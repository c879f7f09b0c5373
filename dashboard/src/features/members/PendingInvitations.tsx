import { Anchor, Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { usePagedQuery } from "../../api/pagination";
import { useMe } from "../../api/queries";
import { PagedTable } from "../../components/PagedTable";
import { Time } from "../../components/Time";
import { MemberTeams } from "./MemberTeams";

interface Props {
  orgId: string;
  searched: string;
  isAdmin: boolean;
  /** The ID of the person whose invitation is being sent again. */
  resending: string | undefined;
  onResend: (member: Schemas["Member"]) => void;
  onRevoke: (member: Schemas["Member"]) => void;
}

/** Pending invitations; hidden if there are none. */
export function PendingInvitations({ orgId, searched, isAdmin, resending, onResend, onRevoke }: Props) {
  // Without an email server, the admin passes the new link on.
  const isMailed = useMe().data?.emails_sent ?? true;
  const pages = usePagedQuery(["organization", orgId, "members", "invited", searched], (after) =>
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/members", {
        params: {
          path: { orgId },
          query: { status: "invited", search: searched || undefined, limit: 50, after },
        },
      }),
    ),
  );
  if (pages.items.length === 0 && !pages.error) {
    return null;
  }
  return (
    <Stack gap="xs" component="section" aria-labelledby="invitations">
      <Title order={2} size="h4" id="invitations">
        Pending invitations
      </Title>
      <PagedTable
        pages={pages}
        columns={["Person", "Role", "Teams", "Invited by", "Expires", { hiddenLabel: "Actions" }]}
        minWidth={720}
        empty={null}
      >
        {(person) => (
          <Table.Tr key={person.id}>
            <Table.Td>
              <Text size="sm" fw={600}>
                {person.name}
              </Text>
              <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                {person.email}
              </Text>
            </Table.Td>
            <Table.Td tt="capitalize">{person.role}</Table.Td>
            <Table.Td data-label="Teams">
              <MemberTeams teamIds={person.team_ids} />
            </Table.Td>
            <Table.Td data-label="Invited by">{person.invited_by ?? "–"}</Table.Td>
            <Table.Td data-label="Expires">
              {person.invitation_failed ? (
                <Anchor
                  component={Link}
                  size="sm"
                  c="var(--mantine-color-error)"
                  to={`/organizations/${orgId}/emails?search=${encodeURIComponent(person.email)}`}
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
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={
                      isMailed ? `Resend the invitation of ${person.name}` : `New link for ${person.name}`
                    }
                    loading={resending === person.id}
                    onClick={() => onResend(person)}
                  >
                    {isMailed ? "Resend" : "New link"}
                  </Button>
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
    return (
      <Text span size="sm" c="var(--mantine-color-error)">
        Expired
      </Text>
    );
  }
  return <Time at={at} relative />;
}
