import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

/** The reader is at the end if it is at most this far below the window. */
const NEAR_END_PX = 120;

const distanceToEnd = ({ scrollHeight, clientHeight, scrollTop }: HTMLElement) =>
  scrollHeight - clientHeight - scrollTop;

/**
 * Keeps the page at its end while the chat grows, by new messages, the steps of a run or pictures that load, until the
 * reader scrolls up.
 *
 * @param enabled whether it opens at its end
 */
export function useScrollToEnd(chat: RefObject<HTMLElement | null>, isLoaded: boolean, enabled: boolean) {
  const following = useRef(false);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    following.current = true;
    document.documentElement.scrollTo({ top: document.documentElement.scrollHeight });
  }, []);
  useEffect(() => {
    if (isLoaded && enabled) {
      toEnd();
    }
  }, [isLoaded, enabled, toEnd]);
  useEffect(() => {
    const element = chat.current;
    if (!isLoaded || !element) {
      return;
    }
    const page = document.documentElement;
    let { scrollTop, scrollHeight } = page;
    const onScroll = () => {
      // A chat that has grown or shrunk since the last event scrolls without its reader.
      const byReader = page.scrollTop < scrollTop && page.scrollHeight === scrollHeight;
      ({ scrollTop, scrollHeight } = page);
      following.current = distanceToEnd(page) < NEAR_END_PX || (following.current && !byReader);
      setAtEnd(following.current);
    };
    const follow = () => {
      if (following.current) {
        toEnd();
      }
    };
    const size = new ResizeObserver(follow);
    size.observe(element);
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      size.disconnect();
      window.removeEventListener("scroll", onScroll);
    };
  }, [chat, isLoaded, toEnd]);
  return { isAtEnd, toEnd };
}
