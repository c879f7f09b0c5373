import type { Schemas } from "./client";
import { itemChange, organizationChange, useAll, usePages, useRead } from "./hooks";
import { patch, post, remove } from "./requests";

const namesById = (all: Schemas["ApiKey"][]) => new Map(all.map((each) => [each.id, each.name]));

/** The names of all API keys by ID, revoked ones included. Only owners and admins may list keys. */
export const useApiKeyNames = ({ enabled }: { enabled: boolean }) =>
  useAll("api-keys", {}, ["api-keys", "all"], { staleTime: 60_000, enabled, select: namesById });

/** The active keys, or all of them. */
export const useApiKeys = (searched: string, all: boolean) =>
  usePages("api-keys", {}, ["api-keys", "pages", searched, all], {
    query: { search: searched || undefined, active: all ? undefined : true },
    keepPrevious: true,
  });

export const useActiveApiKeys = () =>
  useRead("api-keys", {}, ["api-keys", "active"], { query: { active: true, limit: 100 } });

export const createApiKey = (orgId: string, body: Schemas["NewApiKey"]) => post("api-keys", { orgId }, body);

export const useRenameApiKey = itemChange(
  (orgId, keyId: string, { name }: { name: string }) =>
    patch("api-keys/{keyId}", { orgId, keyId }, { name: name.trim() }),
  "api-keys",
);

export const rollApiKey = (orgId: string, keyId: string, body: Schemas["ApiKeyRoll"]) =>
  post("api-keys/{keyId}/roll", { orgId, keyId }, body);

export const useRevokeApiKey = organizationChange(
  (orgId, keyId: string) => remove("api-keys/{keyId}", { orgId, keyId }),
  "api-keys",
);
