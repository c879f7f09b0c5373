import { useState } from "react";
import { useParams, useSearchParams } from "react-router";
import {
  newestCodeKey,
  organizationKey,
  queryClient,
  useNewestCode,
  useOlderCode,
  useOrganizationId,
} from "../../api";
import { QueryBoundary } from "../../components/QueryBoundary";
import { ArtifactEditor } from "./ArtifactEditor";
import { useDryRun } from "./useDryRun";

export default function ArtifactPage() {
  const artifactId = Number(useParams().artifactId);
  return <Versions key={artifactId} artifactId={artifactId} />;
}

/** The newest version of a code artifact in an editor, or an older one to view and restore. */
function Versions({ artifactId }: { artifactId: number }) {
  const orgId = useOrganizationId();
  const dryRun = useDryRun(artifactId);
  const [search] = useSearchParams();
  const version = search.get("version");
  /** The editors that saved versions, by the versions' ETags. */
  const [editors, setEditors] = useState<Record<string, string>>({});
  const newest = useNewestCode(artifactId);
  const older = useOlderCode(artifactId, version);
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
                newest={latest}
                shown={shown}
                onSaved={(saved) => {
                  setEditors((before) => ({ ...before, [saved.etag]: editor }));
                  queryClient.setQueryData(organizationKey(orgId, ...newestCodeKey(artifactId)), saved);
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
