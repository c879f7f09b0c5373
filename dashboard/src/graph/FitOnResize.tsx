import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";

interface Props {
  /** The graph's shape by its layout: where it changes, tasks may stand where nobody sees them. */
  shape: string;
  /** Whether every task stands where the layout puts it. */
  tidied?: boolean;
}

/** Shows the whole graph again when its place changed its width, or its shape changed, or tasks were tidied up. */
export function FitOnResize({ shape, tidied = false }: Props) {
  const width = useStore((state) => state.width);
  const { fitView } = useReactFlow();
  const wasTidied = useRef(tidied);
  useEffect(() => {
    void fitView({ maxZoom: 1, padding: 0.12 });
  }, [width, shape, fitView]);
  useEffect(() => {
    if (tidied && !wasTidied.current) {
      void fitView({ maxZoom: 1, padding: 0.12 });
    }
    wasTidied.current = tidied;
  }, [tidied, fitView]);
  return null;
}
