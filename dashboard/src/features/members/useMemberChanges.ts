import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import type { Role } from "../../api/organization";
import { queryClient } from "../../queryClient";

const ONE = "/dashboard/api/organizations/{orgId}/members/{userId}";

/** The changes of members and invitations; each refreshes the lists. */
export function useMemberChanges(orgId: string) {
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["organization", orgId, "members"] });
  const changeRole = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      unwrap(api.PATCH(ONE, { params: { path: { orgId, userId } }, body: { role } })),
    onSuccess: async (member) => {
      notifications.show({
        message: `${member.name} is now ${member.role === "member" ? "a" : "an"} ${member.role}.`,
      });
      await queryClient.invalidateQueries({ queryKey: ["me"] });
    },
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Schemas["Member"]) =>
      unwrap(api.DELETE(ONE, { params: { path: { orgId, userId: id } } })),
    onSuccess: async (_, member) => {
      notifications.show({
        message:
          member.status === "invited"
            ? `The invitation of ${member.email} is revoked.`
            : `${member.name} removed.`,
      });
      await refresh();
    },
  });
  const resend = useMutation({
    mutationFn: ({ email, name, role }: Schemas["Member"]) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/members", {
          params: { path: { orgId } },
          body: { email, name, role },
        }),
      ),
    onSuccess: refresh,
  });
  return { changeRole, remove, resend };
}
