import { useTemplate } from "../../api";
import { QueryBoundary } from "../../components/QueryBoundary";
import { asDocument } from "../../graph/document";
import RunGraph from "../../graph/RunGraph";

/** The graph of a template. */
export default function TemplatePreview({ id }: { id: string }) {
  const template = useTemplate(id);
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
