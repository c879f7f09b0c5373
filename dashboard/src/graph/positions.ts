import { useQuery } from "@tanstack/react-query";
import { useDebouncedCallback } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useCallback, useEffect, useRef } from "react";
import { api, unwrap } from "../api/client";
import { queryClient } from "../queryClient";

const ROUTE = "/dashboard/api/organizations/{orgId}/workflows/{workflowId}/positions";
const SAVE_DELAY_MS = 400;

interface TaskPosition {
  x: number;
  y: number;
}
export type TaskPositions = ReadonlyMap<string, TaskPosition>;

const keyOf = (orgId: string, workflowId: string) => [
  "organization",
  orgId,
  "workflow",
  workflowId,
  "positions",
];

/** The saved positions of an agent's tasks, for the editor and the graphs of its runs. */
export function useTaskPositions(orgId: string, workflowId: string | undefined) {
  return useQuery({
    queryKey: keyOf(orgId, workflowId ?? ""),
    queryFn: async (): Promise<TaskPositions> => {
      const params = { path: { orgId, workflowId: workflowId! } };
      const { positions } = await unwrap(api.GET(ROUTE, { params }));
      return new Map(Object.entries(positions));
    },
    enabled: workflowId !== undefined,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });
}

/** Moves tasks in the graph and saves their positions shortly after the last move. */
export function useTaskMoves(orgId: string, workflowId: string) {
  const save = useDebouncedCallback(
    (positions: TaskPositions) => {
      const body = { positions: Object.fromEntries(positions) };
      unwrap(api.PUT(ROUTE, { params: { path: { orgId, workflowId } }, body })).catch((error: Error) =>
        notifications.show({
          title: "Couldn’t save the layout",
          message: error.message,
          color: "red",
        }),
      );
    },
    { delay: SAVE_DELAY_MS, flushOnUnmount: true },
  );
  const change = useCallback(
    (next: (now: TaskPositions) => TaskPositions) => {
      const key = keyOf(orgId, workflowId);
      const positions = next(queryClient.getQueryData<TaskPositions>(key) ?? new Map());
      queryClient.setQueryData(key, positions);
      save(positions);
    },
    [orgId, workflowId, save],
  );
  return {
    move: useCallback(
      (id: string, { x, y }: TaskPosition) =>
        change((now) => new Map(now).set(id, { x: Math.round(x), y: Math.round(y) })),
      [change],
    ),
    /** Returns all tasks to their automatic positions. */
    resetLayout: useCallback(() => change(() => new Map()), [change]),
    /** Keeps the position of a task whose ID changed. */
    rename: useCallback(
      (from: string, to: string) =>
        change((now) => {
          const position = now.get(from);
          const rest = new Map(now);
          rest.delete(from);
          return position ? rest.set(to, position) : rest;
        }),
      [change],
    ),
  };
}

/** Calls back when one task's ID changed and the list is otherwise the same. */
export function useRenamedTask(ids: string[], onRename: (from: string, to: string) => void) {
  const before = useRef(ids);
  useEffect(() => {
    const old = before.current;
    before.current = ids;
    const changed = old.length === ids.length ? ids.filter((id, index) => id !== old[index]) : [];
    const [to] = changed;
    if (changed.length === 1 && to !== undefined) {
      onRename(old[ids.indexOf(to)]!, to);
    }
  }, [ids, onRename]);
}
