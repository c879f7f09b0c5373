import { useMemo, type ReactNode } from "react";
import { LastValuesContext } from "../../graph/LastValues";
import { useFilters } from "../../components/useFilters";
import { recordsOf, useRun, useRunLog } from "../runs/queries";

/** Provides the outputs of the latest test run to the nodes of the graph. */
export function LastValuesProvider({ orgId, children }: { orgId: string; children: ReactNode }) {
  const run = useRun(orgId, useFilters().get("run") ?? "");
  const log = useRunLog(orgId, run.data);
  const values = useMemo(
    () =>
      new Map(
        [...recordsOf(log.data ?? [])].flatMap(([task, { outputs }]) =>
          outputs ? [[task, outputs] as const] : [],
        ),
      ),
    [log.data],
  );
  return <LastValuesContext value={values}>{children}</LastValuesContext>;
}
