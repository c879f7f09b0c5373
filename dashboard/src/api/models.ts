import type { Schemas } from "./client";
import { itemChange, organizationChange, useAll, useOrganizationQuery } from "./hooks";
import { getTagged, patch, post, put, remove, type RequestBody } from "./requests";

const PROVIDER = "model-providers/{modelProviderId}";
const MODEL = "models/{modelId}";
const LISTS = ["model-providers", "models"];

/** A form changes the revision that it was opened with. */
const FORM = { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false };

export type ModelBody = RequestBody<"put", typeof MODEL>;

export const useModelProviders = () => useAll("model-providers", {}, ["model-providers", "all"]);

/** The installation's model and the organization's own. */
export const useModels = () => useAll("models", {}, ["models", "all"], { staleTime: 30_000 });

export const useEditedModelProvider = (modelProviderId: number) =>
  useOrganizationQuery(
    ["model-providers", modelProviderId, "edited"],
    (orgId) => getTagged(PROVIDER, { orgId, modelProviderId }),
    FORM,
  );

export const useEditedModel = (modelId: number) =>
  useOrganizationQuery(["models", modelId, "edited"], (orgId) => getTagged(MODEL, { orgId, modelId }), FORM);

export const useCreateModelProvider = organizationChange(
  (orgId, body: Schemas["NewModelProvider"]) => post("model-providers", { orgId }, body),
  ...LISTS,
);

export const useChangeModelProvider = itemChange(
  (orgId, modelProviderId: number, { etag, ...body }: Schemas["NewModelProvider"] & { etag: string }) =>
    patch(PROVIDER, { orgId, modelProviderId }, body, { etag }),
  ...LISTS,
);

export const useRemoveModelProvider = itemChange(
  (orgId, modelProviderId: number) => remove(PROVIDER, { orgId, modelProviderId }),
  ...LISTS,
);

export const useCreateModel = organizationChange(
  (orgId, body: ModelBody) => post("models", { orgId }, body),
  ...LISTS,
);

export const useChangeModel = itemChange(
  (orgId, modelId: number, { etag, ...body }: ModelBody & { etag: string }) =>
    put(MODEL, { orgId, modelId }, body, { etag }),
  ...LISTS,
);

export const useRemoveModel = itemChange(
  (orgId, modelId: number) => remove(MODEL, { orgId, modelId }),
  ...LISTS,
);

export const useTestModel = itemChange(
  (orgId, modelId: number) => post(`${MODEL}/test`, { orgId, modelId }),
  ...LISTS,
);
