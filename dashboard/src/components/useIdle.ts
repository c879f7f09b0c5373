import { useEffect, useState } from "react";

/** True once the browser has been idle since the page was shown: the time to load what may be printed. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    // Safari does not say when it is idle.
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(() => setIdle(true), 200);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(() => setIdle(true), { timeout: 1_000 });
    return () => cancelIdleCallback(request);
  }, []);
  return idle;
}
