import { Button, Stack } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import {
  useIsAdmin,
  useMe,
  useMemberPages,
  type Schemas,
  useChangeRole,
  useRemoveMember,
  useResendInvitation,
} from "../../api";
import { SectionHeading, Dimmed } from "../../components/variants";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { MailNotice } from "../../components/MailNotice";
import { Page } from "../../components/Page";
import { PagedTable } from "../../components/PagedTable";
import { SearchField } from "../../components/SearchField";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { InviteDialog, ReinvitedDialog } from "./InviteDialog";
import { MemberRow } from "./MemberRow";
import { PendingInvitations } from "./PendingInvitations";
import { ResetLinkDialog } from "./ResetLinkDialog";

export default function MembersPage() {
  const isAdmin = useIsAdmin();
  const filters = useFilters();
  const searched = filters.get("search") ?? "";
  const { data: me } = useMe();
  const [resetting, setResetting] = useState<Schemas["Member"] | null>(null);
  const [removing, setRemoving] = useState<Schemas["Member"] | null>(null);
  const [reinvited, setReinvited] = useState<Schemas["AddedMember"] | null>(null);
  const dialog = useDialog("invite");
  const changeRole = useChangeRole();
  const remove = useRemoveMember({
    done: (_, { name, email, status }) =>
      status === "invited" ? `The invitation of ${email} is revoked.` : `${name} removed.`,
  });
  const resend = useResendInvitation();
  const revokes = removing?.status === "invited";
  return (
    <Page
      title="Members"
      about="People in this organization. Owners and admins manage it."
      actions={
        isAdmin && (
          <Button leftSection={<IconUserPlus size={16} />} onClick={dialog.open}>
            Invite members
          </Button>
        )
      }
    >
      <MailNotice page="members">
        Invitations aren’t emailed: you get each link and send it yourself. An operator sets up email with the
        PARLEY_SMTP settings.
      </MailNotice>
      <ErrorNotice error={changeRole.error ?? resend.error} />
      <SearchField
        aria-label="Search members"
        placeholder="Search by name or email"
        maxLength={200}
        maw={320}
      />
      <PendingInvitations
        searched={searched}
        isAdmin={isAdmin}
        resending={resend.isPending ? resend.variables.id : undefined}
        onResend={(member) => resend.mutate(member, { onSuccess: setReinvited })}
        onRevoke={setRemoving}
      />
      <MemberTable
        searched={searched}
        isAdmin={isAdmin}
        onRole={(userId, role) => changeRole.mutate({ userId, role })}
        onRemove={setRemoving}
        onReset={setResetting}
      />
      <InviteDialog
        opened={isAdmin && dialog.opened}
        onClose={dialog.close}
        onReset={(member) => {
          dialog.close();
          setResetting(member);
        }}
      />
      <ReinvitedDialog added={reinvited} onClose={() => setReinvited(null)} />
      <ResetLinkDialog
        member={resetting}
        byOperator={me?.operator === true}
        onClose={() => setResetting(null)}
      />
      <ConfirmDialog
        opened={removing !== null}
        title={revokes ? `Revoke the invitation of ${removing.name}?` : `Remove ${removing?.name}?`}
        action={revokes ? "Revoke" : "Remove"}
        mutation={remove}
        onConfirm={() => removing && remove.mutate(removing, { onSuccess: () => setRemoving(null) })}
        onClose={() => setRemoving(null)}
      >
        {revokes
          ? "The link stops working. You can invite them again later."
          : "They lose access immediately. Their past activity is kept."}
      </ConfirmDialog>
    </Page>
  );
}

interface TableProps {
  searched: string;
  isAdmin: boolean;
  onRole: (userId: string, role: Schemas["Member"]["role"]) => void;
  onRemove: (member: Schemas["Member"]) => void;
  onReset: (member: Schemas["Member"]) => void;
}

function MemberTable({ searched, isAdmin, onRole, onRemove, onReset }: TableProps) {
  const pages = useMemberPages("active", searched);
  return (
    <Stack gap="xs" component="section" aria-labelledby="members">
      <SectionHeading id="members">Active members</SectionHeading>
      <PagedTable
        pages={pages}
        columns={["Person", "Role", "Teams", "Last seen", "Added", { hiddenLabel: "Actions" }]}
        minWidth={720}
        empty={<Dimmed>No members match “{searched}”.</Dimmed>}
      >
        {(member) => (
          <MemberRow
            key={member.id}
            of={member}
            isAdmin={isAdmin}
            onRole={(role) => onRole(member.id, role)}
            onRemove={() => onRemove(member)}
            onReset={() => onReset(member)}
          />
        )}
      </PagedTable>
    </Stack>
  );
}
