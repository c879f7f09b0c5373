import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { api, unwrap } from "../../api/client";
import { unwrapTagged } from "../../api/conflict";
import { useOrganizationId } from "../../api/organization";
import { QueryBoundary } from "../../components/QueryBoundary";
import { queryClient } from "../../queryClient";
import { ArtifactEditor } from "./ArtifactEditor";
import { useDryRun } from "./useDryRun";

const ROUTE = "/dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}";

export default function ArtifactPage() {
  const orgId = useOrganizationId();
  const artifactId = Number(useParams().artifactId);
  return <Versions key={artifactId} orgId={orgId} artifactId={artifactId} />;
}

/** The newest version of a code artifact in an editor, or an older one to view and restore. */
function Versions({ orgId, artifactId }: { orgId: string; artifactId: number }) {
  const dryRun = useDryRun(orgId, artifactId);
  const [search] = useSearchParams();
  const version = search.get("version");
  const key = ["organization", orgId, "code-artifacts", artifactId];
  const path = { orgId, artifactId };
  /** The editors that saved versions, by the versions' ETags. */
  const [editors, setEditors] = useState<Record<string, string>>({});
  const readNewest = () => unwrapTagged(api.GET(ROUTE, { params: { path } }));
  const newest = useQuery({
    queryKey: [...key, "newest"],
    queryFn: readNewest,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  const older = useQuery({
    queryKey: [...key, "version", version],
    queryFn: () =>
      unwrap(
        api.GET(`${ROUTE}/versions/{version}`, { params: { path: { ...path, version: Number(version) } } }),
      ),
    enabled: version !== null,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  return (
    <QueryBoundary query={newest}>
      {(latest) => (
        <QueryBoundary query={version === null ? newest : older}>
          {(shown) => {
            // The editor that saved the version stays, with its cursor and what was typed meanwhile.
            const editor =
              (version === null && editors[latest.etag]) || `${shown.id}/${shown.version}/${latest.etag}`;
            return (
              <ArtifactEditor
                key={editor}
                orgId={orgId}
                newest={latest}
                shown={shown}
                readNewest={readNewest}
                onSaved={(saved) => {
                  setEditors((before) => ({ ...before, [saved.etag]: editor }));
                  queryClient.setQueryData([...key, "newest"], saved);
                }}
                dryRun={dryRun}
              />
            );
          }}
        </QueryBoundary>
      )}
    </QueryBoundary>
  );
}
