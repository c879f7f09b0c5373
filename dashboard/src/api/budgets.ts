import type { Schemas } from "./client";
import { itemChange, organizationChange, useAll, useRead } from "./hooks";
import { patch, post, remove, type RequestQuery } from "./requests";

const REFRESH_MS = 15_000;

export const useBudgets = () => useAll("budgets", {}, ["budgets"], { refetchInterval: REFRESH_MS });

export const useCreateBudget = organizationChange(
  (orgId, body: Schemas["NewBudget"]) => post("budgets", { orgId }, body),
  "budgets",
);

/** Changes the limit of a budget whose revision the person has seen. */
export const useChangeBudget = itemChange(
  (orgId, { id, revision }: { id: number; revision: number }, { limit }: { limit: number }) =>
    patch("budgets/{budgetId}", { orgId, budgetId: id }, { limit }, { etag: `"${revision}"` }),
  "budgets",
);

export const useDeleteBudget = organizationChange(
  (orgId, budgetId: number) => remove("budgets/{budgetId}", { orgId, budgetId }),
  "budgets",
);

/** The usage of models in a range of days. */
export const useModelUsage = (query: RequestQuery<"usage/models">) =>
  useRead("usage/models", {}, ["usage", query], {
    query,
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });
