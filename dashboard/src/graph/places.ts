import { useQuery } from "@tanstack/react-query";
import { useDebouncedCallback } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useCallback, useEffect, useRef } from "react";
import { api, ask } from "../api/client";
import { queryClient } from "../queryClient";

const ROUTE = "/dashboard/api/organizations/{orgId}/workflows/{workflowId}/positions";
const REST = 400;

interface Place {
  x: number;
  y: number;
}
export type Places = ReadonlyMap<string, Place>;

const keyOf = (orgId: string, workflowId: string) => [
  "organization",
  orgId,
  "workflow",
  workflowId,
  "positions",
];

/** Where people put an agent's tasks; kept beside its draft, for the graphs of its runs too. */
export function usePlaces(orgId: string, workflowId: string | undefined) {
  return useQuery({
    queryKey: keyOf(orgId, workflowId ?? ""),
    queryFn: async (): Promise<Places> => {
      const params = { path: { orgId, workflowId: workflowId! } };
      const { positions } = await ask(api.GET(ROUTE, { params }));
      return new Map(Object.entries(positions));
    },
    enabled: workflowId !== undefined,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });
}

/** Moves tasks in the graph and keeps their places a moment after the last move. */
export function useMoving(orgId: string, workflowId: string) {
  const keep = useDebouncedCallback(
    (places: Places) => {
      const body = { positions: Object.fromEntries(places) };
      ask(api.PUT(ROUTE, { params: { path: { orgId, workflowId } }, body })).catch((error: Error) =>
        notifications.show({
          title: "The new places are not kept",
          message: error.message,
          color: "red",
        }),
      );
    },
    { delay: REST, flushOnUnmount: true },
  );
  const change = useCallback(
    (next: (now: Places) => Places) => {
      const key = keyOf(orgId, workflowId);
      const places = next(queryClient.getQueryData<Places>(key) ?? new Map());
      queryClient.setQueryData(key, places);
      keep(places);
    },
    [orgId, workflowId, keep],
  );
  return {
    move: useCallback(
      (id: string, { x, y }: Place) =>
        change((now) => new Map(now).set(id, { x: Math.round(x), y: Math.round(y) })),
      [change],
    ),
    /** All tasks stand again where the layout puts them. */
    tidy: useCallback(() => change(() => new Map()), [change]),
    /** A task that got another id stays where it is. */
    rename: useCallback(
      (from: string, to: string) =>
        change((now) => {
          const place = now.get(from);
          const rest = new Map(now);
          rest.delete(from);
          return place ? rest.set(to, place) : rest;
        }),
      [change],
    ),
  };
}

/** Tells of a task whose id was changed: the same list of tasks, but for this one's id. */
export function useRenames(ids: string[], onRename: (from: string, to: string) => void) {
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
