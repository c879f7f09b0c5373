import { taskKey, useLiveTexts, type LiveTexts } from "../../api";
import { CodeBlock } from "../../components/CodeBlock";
import { Strong } from "../../components/variants";

/** The JSON of a task’s outputs while the model writes it. */
export function TaskText({ texts, runId, taskId }: { texts: LiveTexts; runId: string; taskId: string }) {
  const text = useLiveTexts(texts).get(taskKey(runId, taskId));
  return (
    text !== undefined && (
      <div aria-live="off" aria-busy>
        <Strong mb={4}>Being written</Strong>
        <CodeBlock code={text} label="text being written" />
      </div>
    )
  );
}
