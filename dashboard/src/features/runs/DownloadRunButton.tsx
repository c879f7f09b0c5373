import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { fetchAllPages } from "../../api/pagination";
import { downloadJson } from "../../components/download";

/** Downloads a run with its input, its definition, its history and its attempts as one JSON file. */
export function DownloadRunButton({ orgId, run }: { orgId: string; run: Schemas["WorkflowInstance"] }) {
  const id = run.workflow_instance_id;
  const path = { orgId, instanceId: id };
  const download = useMutation({
    mutationFn: async () => {
      const [now, input, { document }, history, attempts] = await Promise.all([
        unwrap(api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}", { params: { path } })),
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/inputs", { params: { path } }),
        ),
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/definition", {
            params: { path },
          }),
        ),
        fetchAllPages((after) =>
          unwrap(
            api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/logs", {
              params: { path, query: { limit: 100, after } },
            }),
          ),
        ),
        fetchAllPages((after) =>
          unwrap(
            api.GET("/dashboard/api/organizations/{orgId}/instances/{instanceId}/attempts", {
              params: { path, query: { limit: 50, after } },
            }),
          ),
        ),
      ]);
      return { run: now, input, definition: document, history, attempts };
    },
    onSuccess: (whole) => downloadJson(whole, `run-${id}.json`),
    onError: (error) =>
      notifications.show({ title: "Couldn’t download the run", message: error.message, color: "red" }),
  });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      Download JSON
    </Button>
  );
}
