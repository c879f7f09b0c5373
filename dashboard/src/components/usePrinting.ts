import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Whether the page is being printed, for content that only paper shows. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(() => window.matchMedia("print").matches);
  useEffect(() => {
    const media = window.matchMedia("print");
    // The browser prints what is rendered when the listener returns.
    const onChange = () => flushSync(() => setPrinting(media.matches));
    media.addEventListener("change", onChange);
    return () => media.removeEventListener("change", onChange);
  }, []);
  return printing;
}
