import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { QueryBoundary } from "../../components/QueryBoundary";
import { asDocument } from "../../graph/document";
import RunGraph from "../../graph/RunGraph";

/** The graph of a template. */
export default function TemplatePreview({ orgId, id }: { orgId: string; id: string }) {
  const template = useQuery({
    queryKey: ["organization", orgId, "workflow-templates", id],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/workflow-templates/{templateId}", {
          params: { path: { orgId, templateId: id } },
        }),
      ),
    staleTime: Infinity,
  });
  return (
    <QueryBoundary query={template}>
      {(found) => (
        <section aria-label="Preview">
          <RunGraph key={id} document={asDocument(found.document)} tasks={[]} />
        </section>
      )}
    </QueryBoundary>
  );
}
