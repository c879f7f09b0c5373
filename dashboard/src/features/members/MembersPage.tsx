import { Button, Group, Menu, Select, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots, IconUserPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId, type Role } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { useMe } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { PagedTable } from "../../components/PagedTable";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { queryClient } from "../../queryClient";
import { InviteDialog } from "./InviteDialog";
import { ROLES } from "./roles";

export default function MembersPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const key = ["organization", orgId, "members"];
  const pages = usePagedQuery([...key, "pages"], (after) =>
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/members", {
        params: { path: { orgId }, query: { limit: 50, after } },
      }),
    ),
  );
  const dialog = useDialog("invite");
  const [removing, setRemoving] = useState<Schemas["Member"] | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const changeRole = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      unwrap(
        api.PATCH("/dashboard/api/organizations/{orgId}/members/{userId}", {
          params: { path: { orgId, userId } },
          body: { role },
        }),
      ),
    onSuccess: async (member) => {
      notifications.show({
        message: `${member.name} is now ${member.role === "member" ? "a" : "an"} ${member.role}.`,
      });
      await queryClient.invalidateQueries({ queryKey: ["me"] });
    },
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (userId: string) =>
      unwrap(
        api.DELETE("/dashboard/api/organizations/{orgId}/members/{userId}", {
          params: { path: { orgId, userId } },
        }),
      ),
    onSuccess: async () => {
      setRemoving(null);
      await refresh();
    },
  });
  return (
    <Page
      title="Members"
      about="People in this organization. Owners and admins manage it."
      actions={
        isAdmin && (
          <Button leftSection={<IconUserPlus size={16} />} onClick={dialog.open}>
            Invite member
          </Button>
        )
      }
    >
      <ErrorNotice error={changeRole.error} />
      <PagedTable
        pages={pages}
        columns={["Person", "Role", "Status", "Added", { hiddenLabel: "Actions" }]}
        minWidth={560}
        empty={null}
      >
        {(member) => (
          <MemberRow
            key={member.id}
            of={member}
            isAdmin={isAdmin}
            onRole={(role) => changeRole.mutate({ userId: member.id, role })}
            onRemove={() => setRemoving(member)}
          />
        )}
      </PagedTable>
      {pages.items.some(isUnverified) && (
        <Text size="sm" c="dimmed">
          Email not verified: the person joined with a link from an admin, so the address may belong to
          someone else. The account works in this organization only and is deleted when someone verifies the
          address. To verify it, accept an emailed invitation or sign in with OpenID Connect.
        </Text>
      )}
      <InviteDialog orgId={orgId} opened={isAdmin && dialog.opened} onClose={dialog.close} />
      <ConfirmDialog
        opened={removing !== null}
        title={`Remove ${removing?.name}?`}
        action="Remove"
        mutation={remove}
        onConfirm={() => removing && remove.mutate(removing.id)}
        onClose={() => setRemoving(null)}
      >
        <Text size="sm">They lose access immediately. Their past activity is kept.</Text>
      </ConfirmDialog>
    </Page>
  );
}

/** Excludes invited people, who may still verify the address when they accept. */
function isUnverified(member: Schemas["Member"]): boolean {
  return member.status === "active" && !member.email_proven;
}

interface RowProps {
  of: Schemas["Member"];
  isAdmin: boolean;
  onRole: (role: Role) => void;
  onRemove: () => void;
}

function MemberRow({ of: member, isAdmin, onRole, onRemove }: RowProps) {
  const { data: me } = useMe();
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {member.name}
          {member.id === me?.id && " (you)"}
        </Text>
        <Text size="xs" c="dimmed">
          {member.email}
        </Text>
      </Table.Td>
      <Table.Td>
        {isAdmin ? (
          <Select
            w={130}
            size="xs"
            aria-label={`Role of ${member.name}`}
            data={ROLES}
            allowDeselect={false}
            value={member.role}
            onChange={(role) => role && role !== member.role && onRole(role)}
          />
        ) : (
          member.role
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={6}>
          <StatusLabel status={member.status} />
          {isUnverified(member) && <StatusLabel status="Email not verified" />}
        </Group>
      </Table.Td>
      <Table.Td>
        <Time at={member.created_at} />
      </Table.Td>
      <Table.Td>
        {isAdmin && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                aria-label={`Actions for ${member.name}`}
              >
                <IconDots size={16} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={onRemove}>Remove from organization</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
