import { queryClient } from "./queryClient";
import type { Schemas } from "./client";
import { organizationChange, organizationKey, useAll, useOrganizationId, usePages } from "./hooks";
import { patch, post, remove } from "./requests";

type Member = Schemas["Member"];
export type Role = "owner" | "admin" | "member";

/** The organization's members, for pickers and for names. */
export const useMembers = ({ enabled = true } = {}) =>
  useAll("members", {}, ["members", "all"], { staleTime: 60_000, enabled });

/** The members or invitations with these words. */
export const useMemberPages = (status: "active" | "invited", searched: string) =>
  usePages("members", {}, ["members", status, searched], {
    query: { status, search: searched || undefined },
  });

export const sendInvitation = (orgId: string, body: Schemas["NewMember"]) => post("members", { orgId }, body);

/** Sends an invitation again. */
export const useResendInvitation = organizationChange(
  (orgId, { email, name, role }: Member) => sendInvitation(orgId, { email, name, role }),
  "members",
);

export const useChangeRole = () => {
  const queryKey = organizationKey(useOrganizationId(), "members");
  return useRoleChange({
    done: ({ name, role }) => `${name} is now ${role === "member" ? "a" : "an"} ${role}.`,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["me"] }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
};

const useRoleChange = organizationChange((orgId, { userId, role }: { userId: string; role: Role }) =>
  patch("members/{userId}", { orgId, userId }, { role }),
);

export const useRemoveMember = organizationChange(
  (orgId, { id }: Member) => remove("members/{userId}", { orgId, userId: id }),
  "members",
);

export const useCreateResetLink = organizationChange((orgId, userId: string) =>
  post("members/{userId}/reset-link", { orgId, userId }),
);
