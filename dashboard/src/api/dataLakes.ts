import { keepPreviousData } from "@tanstack/react-query";
import type { Schemas } from "./client";
import { itemChange, useAll, usePages, useRead } from "./hooks";
import { patch, post, remove, type RequestQuery } from "./requests";

const ONE = "data-lakes/{lakeId}";

type DataLake = Schemas["DataLake"];

export const useDataLakes = ({ enabled = true } = {}) =>
  useAll("data-lakes", {}, ["data-lakes", "all"], { staleTime: 30_000, enabled });

export const useDataLakePages = () => usePages("data-lakes", {}, ["data-lakes", "pages"]);

export const useS3Prefixes = (enabled: boolean) =>
  useRead("data-lakes/s3-prefixes", {}, ["data-lakes", "s3-prefixes"], { enabled, staleTime: Infinity });

export const useDataLake = (lakeId: string) => useRead(ONE, { lakeId }, ["data-lakes", lakeId]);

export const createDataLake = (orgId: string, body: Schemas["NewDataLake"]) =>
  post("data-lakes", { orgId }, body);

export const deleteDataLake = (orgId: string, lakeId: string) => remove(ONE, { orgId, lakeId });

export const useRenameDataLake = itemChange(
  (orgId, lakeId: string, { name }: { name: string }) => patch(ONE, { orgId, lakeId }, { name: name.trim() }),
  "data-lakes",
);

/** Reads the objects in S3 again. */
export const useRefreshDataLake = itemChange(
  (orgId, lakeId: string) => post(`${ONE}/refresh`, { orgId, lakeId }),
  "data-lakes",
);

type Options = Schemas["DataLakeImportOptions"];

/** The import of an uploaded file. */
export const previewImport = (orgId: string, lakeId: string, options: Options, signal: AbortSignal) =>
  post(`${ONE}/preview`, { orgId, lakeId }, options, { signal });

export const importUpload = (orgId: string, lakeId: string, options: Options, signal: AbortSignal) =>
  post(`${ONE}/import`, { orgId, lakeId }, options, { signal });

/** The replacement of a data set's file. */
export const startReplacement = (
  orgId: string,
  lakeId: string,
  body: Schemas["DataLakeReplacementFile"],
  signal: AbortSignal,
) => post(`${ONE}/replace/upload`, { orgId, lakeId }, body, { signal });

export const previewReplacement = (
  orgId: string,
  lakeId: string,
  body: Schemas["DataLakeReplacement"],
  signal: AbortSignal,
) => post(`${ONE}/replace/preview`, { orgId, lakeId }, body, { signal });

export const replaceFile = (
  orgId: string,
  lakeId: string,
  body: Schemas["DataLakeReplacement"],
  signal: AbortSignal,
) => post(`${ONE}/replace`, { orgId, lakeId }, body, { signal });

/** The rows of the data as it was last read. */
export const useDataRows = (lake: DataLake, query: RequestQuery<"data-lakes/{lakeId}/rows">) =>
  useRead(`${ONE}/rows`, { lakeId: lake.id }, ["data-lakes", lake.id, "rows", lake.read_at, query], {
    query,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });

export const useColumnStatistics = (lake: DataLake) =>
  useRead(`${ONE}/statistics`, { lakeId: lake.id }, ["data-lakes", lake.id, "statistics", lake.read_at], {
    staleTime: Infinity,
  });
