import { useChangeRole, useRemoveMember, useResendInvitation } from "../../api";

/** The changes of members and invitations; each refreshes the lists. */
export function useMemberChanges() {
  const changeRole = useChangeRole();
  const remove = useRemoveMember({
    done: (_, { name, email, status }) =>
      status === "invited" ? `The invitation of ${email} is revoked.` : `${name} removed.`,
  });
  const resend = useResendInvitation();
  return { changeRole, remove, resend };
}
