import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { useOrganizationId } from "../../api/organization";
import { useCanvas } from "../../graph/positions";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Editor } from "./Editor";
import { LastValuesProvider } from "./LastValuesProvider";
import { readWorkflow } from "./useDraftSaving";

export default function EditorPage() {
  const orgId = useOrganizationId();
  const { workflowId = "" } = useParams();
  const workflow = useQuery({
    queryKey: ["organization", orgId, "workflow", workflowId],
    queryFn: () => readWorkflow(orgId, workflowId),
    // A refetch must not replace the document while it is being edited.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  const canvas = useCanvas(orgId, workflowId);
  return (
    <QueryBoundary query={workflow}>
      {(found) => (
        <QueryBoundary query={canvas}>
          {(saved) => (
            <LastValuesProvider orgId={orgId}>
              <Editor key={workflowId} orgId={orgId} workflow={found} canvas={saved} />
            </LastValuesProvider>
          )}
        </QueryBoundary>
      )}
    </QueryBoundary>
  );
}
