import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";

interface Props {
  count: number;
  /** Whether every task stands where the layout puts it. */
  tidied?: boolean;
}

/** Shows the whole graph again when its place changed its width, when tasks came or went, or were tidied up. */
export function FitOnResize({ count, tidied = false }: Props) {
  const width = useStore((state) => state.width);
  const { fitView } = useReactFlow();
  const wasTidied = useRef(tidied);
  useEffect(() => {
    void fitView({ maxZoom: 1, padding: 0.12 });
  }, [width, count, fitView]);
  useEffect(() => {
    if (tidied && !wasTidied.current) {
      void fitView({ maxZoom: 1, padding: 0.12 });
    }
    wasTidied.current = tidied;
  }, [tidied, fitView]);
  return null;
}
