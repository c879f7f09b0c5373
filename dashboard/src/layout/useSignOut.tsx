import { useState } from "react";
import { forgetUser, logOut, queryClient, setSessionUser, useChange, useMe } from "../api";
import { ConfirmDialog } from "../components/ConfirmDialog";
import { forgetUnsavedChanges, hasUnsavedChanges, saveUnsavedChanges } from "../components/leaveGuard";

/** Signs out, and asks first if there are unsaved changes; the caller renders the question. */
export function useSignOut() {
  const { data: me } = useMe();
  const mutation = useChange({
    send: logOut,
    onSuccess: () => {
      // The next user of this browser must not see cached data, drafts or past calls.
      setSessionUser(null);
      queryClient.clear();
      forgetUnsavedChanges();
      forgetUser(me?.id ?? "");
      location.assign("/sign-in");
    },
    failed: "Couldn’t sign out",
  });
  const [confirming, setConfirming] = useState(false);
  return {
    signOut: async () => {
      if (hasUnsavedChanges() && !(await saveUnsavedChanges())) {
        setConfirming(true);
      } else {
        mutation.mutate();
      }
    },
    confirmation: (
      <ConfirmDialog
        opened={confirming}
        title="Sign out without saving?"
        action="Sign out"
        mutation={mutation}
        onConfirm={() => mutation.mutate()}
        onClose={() => setConfirming(false)}
      >
        You have unsaved changes. If you sign out, they’ll be lost.
      </ConfirmDialog>
    ),
  };
}
