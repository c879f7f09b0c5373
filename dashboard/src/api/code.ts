import type { Schemas } from "./client";
import { useAll, useOrganizationQuery, usePages, useRead } from "./hooks";
import { getTagged, post, putTagged, remove } from "./requests";

const ONE = "code-artifacts/{artifactId}";

export const CODE = "code-artifacts";

export const useCodeArtifacts = ({ enabled = true } = {}) =>
  useAll("code-artifacts", {}, [CODE, "all"], { staleTime: 30_000, enabled });

export const useCodePages = () => usePages("code-artifacts", {}, [CODE]);

export const createCode = (orgId: string, body: Schemas["NewCodeArtifact"]) =>
  post("code-artifacts", { orgId }, body);

export const readCode = (orgId: string, artifactId: number) => getTagged(ONE, { orgId, artifactId });

const UNTIL_SAVED = { refetchOnWindowFocus: false, staleTime: Infinity };

export const newestCodeKey = (artifactId: number) => [CODE, artifactId, "newest"];

export const useNewestCode = (artifactId: number) =>
  useOrganizationQuery(newestCodeKey(artifactId), (orgId) => readCode(orgId, artifactId), {
    ...UNTIL_SAVED,
    gcTime: 0,
  });

/** An older version; null loads none. */
export const useOlderCode = (artifactId: number, version: string | null) =>
  useRead(
    `${ONE}/versions/{version}`,
    { artifactId, version: Number(version) },
    [CODE, artifactId, "version", version],
    { ...UNTIL_SAVED, enabled: version !== null },
  );

/** A version to compare with. */
export const useCodeVersion = (artifactId: number, version: number) =>
  useRead(
    `${ONE}/versions/{version}`,
    { artifactId, version },
    [CODE, artifactId, "version", String(version)],
    { staleTime: Infinity },
  );

/** The versions, newest first. */
export const useCodeVersions = (artifactId: number) =>
  useAll(`${ONE}/versions`, { artifactId }, [CODE, artifactId, "versions"]).data;

export const saveCode = (orgId: string, artifactId: number, body: Schemas["NewCodeArtifact"], etag: string) =>
  putTagged(ONE, { orgId, artifactId }, { ...body, name: body.name.trim() }, { etag });

export const deleteCode = (orgId: string, artifactId: number, etag: string) =>
  remove(ONE, { orgId, artifactId }, undefined, { etag });

/** Runs a saved version. */
export const runSavedCode = (
  orgId: string,
  { id: artifactId, version }: Schemas["CodeArtifact"],
  inputs: Record<string, unknown>,
  signal: AbortSignal | undefined,
) => post(`${ONE}/dry-run`, { orgId, artifactId }, { inputs, version }, { signal });

export const runCode = (orgId: string, body: Schemas["CodeDraftTrial"], signal: AbortSignal | undefined) =>
  post("code-artifacts/dry-run", { orgId }, body, { signal });
