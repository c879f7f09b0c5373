import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect } from "react";

/** Shows the whole graph again when its place became wider or narrower, or when tasks came or went. */
export function FitOnResize({ count }: { count: number }) {
  const width = useStore((state) => state.width);
  const { fitView } = useReactFlow();
  useEffect(() => {
    void fitView({ maxZoom: 1, padding: 0.12 });
  }, [width, count, fitView]);
  return null;
}
