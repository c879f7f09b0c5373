import { useInterval } from "@mantine/hooks";
import { useEffect, useState } from "react";

/** The current time, updated every second while it is needed. */
export function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(Date.now);
  const ticking = useInterval(() => setNow(Date.now()), 1_000);
  const { start, stop } = ticking;
  useEffect(() => {
    if (isNeeded) {
      start();
    }
    return stop;
  }, [isNeeded, start, stop]);
  return now;
}
