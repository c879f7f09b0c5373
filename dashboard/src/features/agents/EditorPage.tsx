import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { api, ask } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { Loaded } from "../../parts/Loaded";
import { Editor } from "./Editor";

export default function EditorPage() {
  const orgId = useOrganizationId();
  const { workflowId = "" } = useParams();
  const workflow = useQuery({
    queryKey: ["organization", orgId, "workflow", workflowId],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", {
          params: { path: { orgId, workflowId } },
        }),
      ),
    // What is being edited must not change under the person's hands.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Loaded query={workflow}>{(found) => <Editor key={workflowId} orgId={orgId} workflow={found} />}</Loaded>
  );
}
