import { organizationChange, useAll, useOrganizationQuery, useRead } from "./hooks";
import { getTagged, patchTagged, post, put, remove } from "./requests";

export const useTeams = ({ enabled = true } = {}) =>
  useAll("teams", {}, ["teams", "all"], { staleTime: 60_000, enabled });

export const readTeam = (orgId: string, teamId: number) => getTagged("teams/{teamId}", { orgId, teamId });

export const useTeam = (teamId: number) =>
  useOrganizationQuery(["teams", teamId], (orgId) => readTeam(orgId, teamId));

export const useCreateTeam = organizationChange(
  (orgId, { name }: { name: string }) => post("teams", { orgId }, { name: name.trim() }),
  "teams",
);

export const renameTeam = (orgId: string, teamId: number, name: string, etag: string) =>
  patchTagged("teams/{teamId}", { orgId, teamId }, { name }, { etag });

export const deleteTeam = (orgId: string, teamId: number) => remove("teams/{teamId}", { orgId, teamId });

export const useTeamMembers = (teamId: number) =>
  useAll("teams/{teamId}/members", { teamId }, ["teams", teamId, "members"]);

/** Adds a person to a team or removes them. */
export const setTeamMember = (
  orgId: string,
  teamId: number,
  { userId, member }: { userId: string; member: boolean },
) => (member ? put : remove)("teams/{teamId}/members/{userId}", { orgId, teamId, userId });

/** The number of open tickets of a team, such as "12" or "10000+"; undefined until it is known. */
export function useOpenTickets(teamId: number): string | undefined {
  const { data } = useRead("tickets/count", {}, ["tickets", "count", "team", teamId], {
    query: { assignee: "all", team_id: teamId, status: ["OPEN", "IN_PROGRESS"], test_run: false },
  });
  return data && `${data.count}${data.or_more ? "+" : ""}`;
}
