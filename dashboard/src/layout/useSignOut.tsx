import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client";
import { forgetUser } from "../api/localData";
import { ApiError } from "../api/problem";
import { useMe } from "../api/queries";
import { setSessionUser } from "../api/session";
import { ConfirmDialog } from "../components/ConfirmDialog";
import { forgetUnsavedChanges, hasUnsavedChanges, saveUnsavedChanges } from "../components/leaveGuard";
import { queryClient } from "../queryClient";

/** Signs out, and asks first if there are unsaved changes; the caller renders the question. */
export function useSignOut() {
  const { data: me } = useMe();
  const mutation = useMutation({
    mutationFn: async () => {
      const { response } = await api.POST("/dashboard/api/logout");
      if (!response.ok && response.status !== 401) {
        throw ApiError.of(response, null);
      }
    },
    onSuccess: () => {
      // The next user of this browser must not see cached data, drafts or past calls.
      setSessionUser(null);
      queryClient.clear();
      forgetUnsavedChanges();
      forgetUser(me?.id ?? "");
      location.assign("/sign-in");
    },
    onError: (error) =>
      notifications.show({ title: "Couldn’t sign out", message: error.message, color: "red" }),
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
        <Text size="sm">You have unsaved changes. If you sign out, they’ll be lost.</Text>
      </ConfirmDialog>
    ),
  };
}
