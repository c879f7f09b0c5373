import { IconCopy, IconDownload, IconHistory, IconListDetails, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { readWorkflow, useChange, useOrganizationId } from "../../api";
import { MenuItem, MoreMenu } from "../../components/MoreMenu";
import { downloadJson, fileNameOf } from "../../components/download";
import { DeleteAgentDialog } from "./DeleteAgentDialog";
import { useDuplicate } from "./useDuplicate";

/** The actions of an agent in the list. */
export function AgentMenu({ agent }: { agent: { id: string; name: string } }) {
  const orgId = useOrganizationId();
  const duplicate = useDuplicate();
  const [deleting, setDeleting] = useState(false);
  const download = useChange({
    send: () => readWorkflow(orgId, agent.id),
    onSuccess: ({ document }) => downloadJson(document, fileNameOf(agent.name, "agent")),
    failed: "Couldn’t export the agent",
  });
  return (
    <>
      <MoreMenu inRow label={`Actions for ${agent.name}`} loading={duplicate.isPending || download.isPending}>
        <MenuItem icon={IconListDetails} label="Runs" to={`runs?agent=${agent.id}`} />
        <MenuItem icon={IconHistory} label="Versions" to={`agents/${agent.id}/versions`} />
        <MenuItem icon={IconCopy} label="Duplicate" onClick={() => duplicate.mutate({ id: agent.id })} />
        <MenuItem icon={IconDownload} label="Export as JSON" onClick={() => download.mutate()} />
        <MenuItem icon={IconTrash} label="Delete…" danger onClick={() => setDeleting(true)} />
      </MoreMenu>
      <DeleteAgentDialog
        agent={agent}
        opened={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => setDeleting(false)}
      />
    </>
  );
}
