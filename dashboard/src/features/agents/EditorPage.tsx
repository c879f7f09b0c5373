import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { api, ask } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { usePlaces } from "../../graph/places";
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
  const places = usePlaces(orgId, workflowId);
  return (
    <Loaded query={workflow}>
      {(found) => (
        <Loaded query={places}>{() => <Editor key={workflowId} orgId={orgId} workflow={found} />}</Loaded>
      )}
    </Loaded>
  );
}
