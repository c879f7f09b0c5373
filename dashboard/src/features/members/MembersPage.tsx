import { Button, Group, Menu, Select, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots, IconUserPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId, type Role } from "../../api/organization";
import { usePages } from "../../api/pages";
import { useMe } from "../../api/queries";
import { Confirm } from "../../parts/Confirm";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Listing } from "../../parts/Listing";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";
import { useDialog } from "../../parts/useDialog";
import { queryClient } from "../../queryClient";
import { InviteDialog } from "./InviteDialog";
import { ROLES } from "./roles";

export default function MembersPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const key = ["organization", orgId, "members"];
  const pages = usePages([...key, "pages"], (after) =>
    ask(
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
      ask(
        api.PATCH("/dashboard/api/organizations/{orgId}/members/{userId}", {
          params: { path: { orgId, userId } },
          body: { role },
        }),
      ),
    onSuccess: async (member) => {
      notifications.show({ message: `${member.name} is now ${member.role}.` });
      await queryClient.invalidateQueries({ queryKey: ["me"] });
    },
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (userId: string) =>
      ask(
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
      about="People of this organization. Owners and admins manage it; members use it."
      actions={
        isAdmin && (
          <Button leftSection={<IconUserPlus size={16} />} onClick={dialog.open}>
            Invite a person
          </Button>
        )
      }
    >
      <ErrorNotice error={changeRole.error} />
      <Listing
        pages={pages}
        columns={["Person", "Role", "Status", "Since", { unseen: "Actions" }]}
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
      </Listing>
      {pages.items.some(isUnproven) && (
        <Text size="sm" c="dimmed">
          Address not proven: the person joined by a link that an admin passed on, so the address may belong
          to somebody else. The account works in this organization only, and ends when somebody proves the
          address. To prove it, the person accepts an invitation by e-mail or signs in by OpenID Connect.
        </Text>
      )}
      <InviteDialog orgId={orgId} opened={isAdmin && dialog.opened} onClose={dialog.close} />
      <Confirm
        opened={removing !== null}
        title={`Remove ${removing?.name}?`}
        action="Remove"
        sending={remove}
        onConfirm={() => removing && remove.mutate(removing.id)}
        onClose={() => setRemoving(null)}
      >
        <Text size="sm">
          They lose access to this organization at once. What they did stays in the history.
        </Text>
      </Confirm>
    </Page>
  );
}

/** Invited persons may still prove the address by accepting; only members are marked. */
function isUnproven(member: Schemas["Member"]): boolean {
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
          <Status of={member.status} />
          {isUnproven(member) && <Status of="Address not proven" />}
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
              <Menu.Item onClick={onRemove}>Remove from the organization</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
