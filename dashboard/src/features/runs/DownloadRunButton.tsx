import { IconDownload } from "@tabler/icons-react";
import { readWholeRun, useChange, useOrganizationId, type Schemas } from "../../api";
import { SmallButton } from "../../components/variants";
import { downloadJson } from "../../components/download";

/** Downloads a run with its input, its definition, its history and its attempts as one JSON file. */
export function DownloadRunButton({ run }: { run: Schemas["WorkflowInstance"] }) {
  const orgId = useOrganizationId();
  const id = run.workflow_instance_id;
  const download = useChange({
    send: () => readWholeRun(orgId, id),
    onSuccess: (whole) => downloadJson(whole, `run-${id}.json`),
    failed: "Couldn’t download the run",
  });
  return (
    <SmallButton
      leftSection={<IconDownload size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      Download JSON
    </SmallButton>
  );
}
