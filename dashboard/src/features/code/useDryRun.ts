import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { runCode, runSavedCode, useOrganizationId, type Schemas } from "../../api";
import type { RunError } from "../../components/codeMarks";
import { useDraftText } from "../../components/useLocalDraft";

/** The code of a dry run: that in the editor, or a saved version for users who may only run saved code. */
export interface DryRunCode {
  artifact: Schemas["CodeArtifact"];
  draft: { source: string; outputs: Schemas["CodeOutput"][] } | null;
}

export type DryRunState = ReturnType<typeof useDryRun>;

/** The test values and the last result of an artifact, which remain while its versions change. */
export function useDryRun(artifactId: number) {
  const orgId = useOrganizationId();
  const [stored, store] = useDraftText(`code/${artifactId}/test-values`);
  const [edited, setEdited] = useState(stored || null);
  const [invalid, setInvalid] = useState(false);
  const [startedAt, setStartedAt] = useState(0);
  const [stopped, setStopped] = useState(false);
  const request = useRef<AbortController>(null);
  const run = useMutation({
    onMutate: () => {
      request.current = new AbortController();
      setStartedAt(Date.now());
      setStopped(false);
    },
    mutationFn: ({ artifact, draft, inputs }: DryRunCode & { inputs: Record<string, unknown> }) =>
      draft === null
        ? runSavedCode(orgId, artifact, inputs, request.current?.signal)
        : runCode(orgId, { language: artifact.language, ...draft, inputs }, request.current?.signal),
  });
  return {
    run,
    /** Null until they are changed. */
    edited,
    edit: (text: string) => {
      setEdited(text);
      store(text);
    },
    invalid,
    startedAt,
    stopped,
    start: (code: DryRunCode, text: string) => {
      if (run.isPending) {
        return;
      }
      try {
        run.mutate({ ...code, inputs: JSON.parse(text || "{}") as Record<string, unknown> });
        setInvalid(false);
      } catch {
        setInvalid(true);
      }
    },
    stop: () => {
      setStopped(true);
      request.current?.abort();
    },
  };
}

/** Whether a result is of other code than the one that is shown. */
export function isOutdated(ran: DryRunCode, shown: DryRunCode): boolean {
  return (
    checkedText(ran.draft) !== checkedText(shown.draft) ||
    (shown.draft === null && ran.artifact.version !== shown.artifact.version)
  );
}

/** The error of the last run to mark in the editor; null if the shown code is another one. */
export function markedError({ run }: DryRunState, shown: DryRunCode): RunError | null {
  if (!run.data?.error?.line || isOutdated(run.variables, shown)) {
    return null;
  }
  const { line, message } = run.data.error;
  return { line, message: message.split("\n")[0]! };
}

/** The source and the outputs, on which a result depends. */
const checkedText = (draft: DryRunCode["draft"]) =>
  draft && JSON.stringify([draft.source, draft.outputs.map(({ name, type }) => [name, type])]);
