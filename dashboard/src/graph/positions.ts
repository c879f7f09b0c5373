import { queryOptions, useQuery } from "@tanstack/react-query";
import { useDebouncedCallback } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { organizationKey, queryClient, readPositions, savePositions, useOrganizationId } from "../api";
import type { Canvas } from "./canvas";

const SAVE_DELAY_MS = 400;

const keyOf = (orgId: string, workflowId: string) =>
  organizationKey(orgId, "workflow", workflowId, "positions");

const canvasQuery = (orgId: string, workflowId: string | undefined) =>
  queryOptions({
    queryKey: keyOf(orgId, workflowId ?? ""),
    queryFn: async (): Promise<Canvas> => {
      const { positions, notes } = await readPositions(orgId, workflowId!);
      return { positions: new Map(Object.entries(positions)), notes: notes ?? [] };
    },
    enabled: workflowId !== undefined,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });

/** The saved positions and notes of an agent's graph. */
export const useCanvas = (workflowId: string) => useQuery(canvasQuery(useOrganizationId(), workflowId));

/** The saved positions of an agent's tasks, for the graphs of its runs. */
export function useTaskPositions(workflowId: string | undefined) {
  const orgId = useOrganizationId();
  return useQuery({ ...canvasQuery(orgId, workflowId), select: ({ positions }) => positions });
}

/** Saves the positions and notes shortly after the last change. */
export function useCanvasSaving(workflowId: string, canvas: Canvas) {
  const orgId = useOrganizationId();
  const save = useDebouncedCallback(
    ({ positions, notes }: Canvas) => {
      const body = { positions: Object.fromEntries(positions), notes: [...notes] };
      savePositions(orgId, workflowId, body).catch((error: Error) =>
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
