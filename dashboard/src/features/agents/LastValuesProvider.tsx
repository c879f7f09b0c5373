import { useMemo, type ReactNode } from "react";
import { useRun, useRunLog } from "../../api";
import { LastValuesContext } from "../../graph/LastValues";
import { useFilters } from "../../components/useFilters";
import { recordsOf } from "../runs/queries";

/** Provides the outputs of the latest test run to the nodes of the graph. */
export function LastValuesProvider({ children }: { children: ReactNode }) {
  const run = useRun(useFilters().get("run") ?? "");
  const log = useRunLog(run.data);
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
