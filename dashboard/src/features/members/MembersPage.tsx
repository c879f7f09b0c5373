import { Button, Group, Menu, Select, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconDots, IconSearch, IconUserPlus } from "@tabler/icons-react";
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
import { useFilters } from "../../components/useFilters";
import { queryClient } from "../../queryClient";
import { InviteDialog, ReinvitedDialog } from "./InviteDialog";
import { ResetLinkDialog } from "./ResetLinkDialog";
import { ROLES } from "./roles";

export default function MembersPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const key = ["organization", orgId, "members"];
  const filters = useFilters();
  const search = filters.get("search") ?? "";
  const [searched] = useDebouncedValue(search.trim(), 250);
  const pages = usePagedQuery([...key, "pages", searched], (after) =>
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/members", {
        params: { path: { orgId }, query: { search: searched || undefined, limit: 50, after } },
      }),
    ),
  );
  const { data: me } = useMe();
  const [resetting, setResetting] = useState<Schemas["Member"] | null>(null);
  const [reinvited, setReinvited] = useState<Schemas["AddedMember"] | null>(null);
  const resend = useMutation({
    mutationFn: ({ email, name, role }: Schemas["Member"]) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/members", {
          params: { path: { orgId } },
          body: { email, name, role },
        }),
      ),
    onSuccess: setReinvited,
  });
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
      <ErrorNotice error={resend.error} />
      <TextInput
        type="search"
        aria-label="Search members"
        placeholder="Search by name or email"
        leftSection={<IconSearch size={16} />}
        maw={320}
        value={search}
        onChange={(event) => filters.set("search", event.currentTarget.value || null)}
      />
      <PagedTable
        pages={pages}
        columns={["Person", "Role", "Status", "Last seen", "Added", { hiddenLabel: "Actions" }]}
        minWidth={640}
        empty={
          <Text size="sm" c="dimmed">
            No members match “{searched}”.
          </Text>
        }
      >
        {(member) => (
          <MemberRow
            key={member.id}
            of={member}
            isAdmin={isAdmin}
            onRole={(role) => changeRole.mutate({ userId: member.id, role })}
            onRemove={() => setRemoving(member)}
            onReset={() => setResetting(member)}
            onResend={() => resend.mutate(member)}
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
      <InviteDialog
        orgId={orgId}
        opened={isAdmin && dialog.opened}
        onClose={dialog.close}
        onReset={(member) => {
          dialog.close();
          setResetting(member);
        }}
      />
      <ReinvitedDialog added={reinvited} onClose={() => setReinvited(null)} />
      <ResetLinkDialog
        orgId={orgId}
        member={resetting}
        byOperator={me?.operator === true}
        onClose={() => setResetting(null)}
      />
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
  onReset: () => void;
  onResend: () => void;
}

function MemberRow({ of: member, isAdmin, onRole, onRemove, onReset, onResend }: RowProps) {
  const { data: me } = useMe();
  const isInvited = member.status === "invited" && !member.email_proven;
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
      <Table.Td data-label="Last seen">
        {member.last_seen_at ? <Time at={member.last_seen_at} /> : "Never"}
      </Table.Td>
      <Table.Td data-label="Added">
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
              {isInvited ? (
                <Menu.Item onClick={onResend}>Resend invitation</Menu.Item>
              ) : (
                member.id !== me?.id && <Menu.Item onClick={onReset}>Create reset link</Menu.Item>
              )}
              <Menu.Item onClick={onRemove}>Remove from organization</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
