import { useParams } from "react-router";
import { useEditedAgent } from "../../api";
import { useCanvas } from "../../graph/positions";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Editor } from "./Editor";
import { LastValuesProvider } from "./LastValuesProvider";

export default function EditorPage() {
  const { workflowId = "" } = useParams();
  const workflow = useEditedAgent(workflowId);
  const canvas = useCanvas(workflowId);
  return (
    <QueryBoundary query={workflow}>
      {(found) => (
        <QueryBoundary query={canvas}>
          {(saved) => (
            <LastValuesProvider>
              <Editor key={workflowId} workflow={found} canvas={saved} />
            </LastValuesProvider>
          )}
        </QueryBoundary>
      )}
    </QueryBoundary>
  );
}
