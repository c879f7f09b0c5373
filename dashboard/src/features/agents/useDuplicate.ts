import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, unwrap } from "../../api/client";
import { truncate } from "../../components/truncate";
import { queryClient } from "../../queryClient";

const MAX_NAME_LENGTH = 200;

/** The document with another name. The JSON view allows anything for a document. */
function copyOf(document: unknown, name: string): Record<string, unknown> {
  const copied = typeof document === "object" ? (document as Record<string, unknown>) : {};
  const before = typeof copied.name === "string" && copied.name !== "" ? copied.name : name;
  return { ...copied, name: truncate(`Copy of ${before}`, MAX_NAME_LENGTH) };
}

interface Original {
  id: string;
  /** The document to copy, if it has edits that are not saved. */
  document?: unknown;
}

/** Copies an agent's draft with the layout of its graph, and opens the copy. */
export function useDuplicate(orgId: string) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ id: workflowId, document }: Original) => {
      const path = { orgId, workflowId };
      const [original, { positions }] = await Promise.all([
        unwrap(api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}", { params: { path } })),
        unwrap(
          api.GET("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/positions", {
            params: { path },
          }),
        ),
      ]);
      const copy = await unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/workflows", {
          params: { path: { orgId }, query: { allow_invalid: true } },
          body: copyOf(document ?? original.document, original.name),
        }),
      );
      await unwrap(
        api.PUT("/dashboard/api/organizations/{orgId}/workflows/{workflowId}/positions", {
          params: { path: { orgId, workflowId: copy.id } },
          body: { positions },
        }),
      );
      return copy;
    },
    onSuccess: async (copy) => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflows"] });
      void navigate(`/organizations/${orgId}/agents/${copy.id}`);
      notifications.show({ message: `${copy.name} created.` });
    },
    onError: (error) =>
      notifications.show({ title: "Couldn’t duplicate the agent", message: error.message, color: "red" }),
  });
}
