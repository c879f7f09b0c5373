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
    const firstMessage = () => element.querySelector("article");
    let { scrollTop, scrollHeight } = page;
    let first = firstMessage();
    const onScroll = () => {
      // A chat that has grown or shrunk since the last event scrolls without its reader. So does one of the same height
      // with a new message and without the oldest one, which its observed size does not show.
      const isSameChat = page.scrollHeight === scrollHeight && firstMessage() === first;
      const byReader = page.scrollTop < scrollTop && isSameChat;
      ({ scrollTop, scrollHeight } = page);
      first = firstMessage();
      following.current = distanceToEnd(page) < NEAR_END_PX || (following.current && !byReader);
      setAtEnd(following.current);
      if (following.current && !isSameChat) {
        toEnd();
      }
    };
    const follow = () => {
      if (following.current) {
        toEnd();
      }
    };
    const size = new ResizeObserver(follow);
    size.observe(element);
    const messages = new MutationObserver(() => requestAnimationFrame(follow));
    messages.observe(element, { childList: true });
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      size.disconnect();
      messages.disconnect();
      window.removeEventListener("scroll", onScroll);
    };
  }, [chat, isLoaded, toEnd]);
  return { isAtEnd, toEnd };
}
