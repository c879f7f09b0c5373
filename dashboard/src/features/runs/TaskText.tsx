import { taskKey, useLiveTexts, type LiveTexts } from "../../api";
import { CodeBlock } from "../../components/CodeBlock";
import { Strong } from "../../components/variants";

/** What the model is writing for a task: the JSON of its outputs, as it arrives. */
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
