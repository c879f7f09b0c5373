import { queryOptions, useQuery } from "@tanstack/react-query";
import { useDebouncedCallback } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { api, unwrap } from "../api/client";
import { queryClient } from "../queryClient";
import type { Canvas } from "./canvas";

const ROUTE = "/dashboard/api/organizations/{orgId}/workflows/{workflowId}/positions";
const SAVE_DELAY_MS = 400;

const keyOf = (orgId: string, workflowId: string) => [
  "organization",
  orgId,
  "workflow",
  workflowId,
  "positions",
];

const canvasQuery = (orgId: string, workflowId: string | undefined) =>
  queryOptions({
    queryKey: keyOf(orgId, workflowId ?? ""),
    queryFn: async (): Promise<Canvas> => {
      const params = { path: { orgId, workflowId: workflowId! } };
      const { positions, notes } = await unwrap(api.GET(ROUTE, { params }));
      return { positions: new Map(Object.entries(positions)), notes: notes ?? [] };
    },
    enabled: workflowId !== undefined,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });

/** The saved positions and notes of an agent's graph. */
export const useCanvas = (orgId: string, workflowId: string) => useQuery(canvasQuery(orgId, workflowId));

/** The saved positions of an agent's tasks, for the graphs of its runs. */
export function useTaskPositions(orgId: string, workflowId: string | undefined) {
  return useQuery({ ...canvasQuery(orgId, workflowId), select: ({ positions }) => positions });
}

/** Saves the positions and notes shortly after the last change. */
export function useCanvasSaving(orgId: string, workflowId: string, canvas: Canvas) {
  const save = useDebouncedCallback(
    ({ positions, notes }: Canvas) => {
      const body = { positions: Object.fromEntries(positions), notes: [...notes] };
      unwrap(api.PUT(ROUTE, { params: { path: { orgId, workflowId } }, body })).catch((error: Error) =>
        notifications.show({
          id: "layout-not-saved",
          title: "Couldn’t save the layout",
          message: error.message,
          color: "red",
        }),
      );
    },
    { delay: SAVE_DELAY_MS, flushOnUnmount: true },
  );
  const saved = useRef(canvas);
  useEffect(() => {
    if (saved.current !== canvas) {
      saved.current = canvas;
      queryClient.setQueryData(keyOf(orgId, workflowId), canvas);
      save(canvas);
    }
  }, [orgId, workflowId, canvas, save]);
}
