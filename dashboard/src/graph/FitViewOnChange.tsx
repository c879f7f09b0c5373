import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";

interface Props {
  /** Identifies the layout; after a change, tasks may lie outside the view. */
  layoutKey: string;
  /** Whether all tasks are in their automatic positions. */
  isAutoArranged?: boolean;
}

/** Fits the graph into view when the width or the layout changes, or when tasks are arranged automatically. */
export function FitViewOnChange({ layoutKey, isAutoArranged = false }: Props) {
  const width = useStore((state) => state.width);
  const { fitView } = useReactFlow();
  const wasAutoArranged = useRef(isAutoArranged);
  useEffect(() => {
    void fitView({ maxZoom: 1, padding: 0.12 });
  }, [width, layoutKey, fitView]);
  useEffect(() => {
    if (isAutoArranged && !wasAutoArranged.current) {
      void fitView({ maxZoom: 1, padding: 0.12 });
    }
    wasAutoArranged.current = isAutoArranged;
  }, [isAutoArranged, fitView]);
  return null;
}
