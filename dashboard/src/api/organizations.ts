import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "./client";
import { usePagedQuery } from "./pagination";
import {
  organizationChange,
  useChange,
  useOrganizationQuery,
  usePages,
  useRead,
  type Reactions,
} from "./hooks";
import { get, getTagged, patchTagged, post, remove, type RequestQuery } from "./requests";

const ONE = "/organizations/{orgId}";

/** The organizations of the user. */
export const useOrganizations = () =>
  usePagedQuery(["organizations"], (after) => get("/organizations", {}, { limit: 50, after }));

/** The processes of the installation, for operators. */
export const useNodes = () =>
  useQuery({ queryKey: ["nodes"], queryFn: () => get("/nodes", {}), refetchInterval: 10_000 });

export const useCreateOrganization = (
  reactions: Reactions<Schemas["Organization"], Schemas["NewOrganization"]>,
) => useChange({ send: (body) => post("/organizations", {}, body), outdated: [[]], ...reactions });

export const useOrganization = ({ enabled = true } = {}) =>
  useRead(ONE, {}, [], { staleTime: 60_000, enabled });

export const useEditedOrganization = () => useOrganizationQuery(["settings"], readOrganization);

export const readOrganization = (orgId: string) => getTagged(ONE, { orgId });

/** Updates the given fields only, unless another person has changed the organization meanwhile. */
export const changeOrganization = (
  orgId: string,
  body: Partial<Schemas["OrganizationChange"]>,
  etag: string,
) => patchTagged(ONE, { orgId }, body as Schemas["OrganizationChange"], { etag });

export const useDeleteOrganization = organizationChange((orgId) => remove(ONE, { orgId }));

/** The limits of the organization, and whether a model is connected. */
export const useOverview = () =>
  useRead("overview", {}, ["overview", "settings"], { query: { hours: 24 } }).data;

/** The usage of a period. */
export const useUsage = (period: string, query: { hours: number; time_zone: string }) =>
  useRead("overview", {}, ["overview", period], {
    query,
    refetchInterval: 15_000,
    placeholderData: (before) => before,
  });

export const useAuditLog = (query: RequestQuery<"audit-log">) =>
  usePages("audit-log", {}, ["audit-log", query], { query, keepPrevious: true });
