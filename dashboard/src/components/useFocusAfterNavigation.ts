import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** The path whose heading had focus last. The first page of a visit keeps the browser's focus. */
let focusedPath: string | undefined;

/**
 * Moves the focus to the page's heading after a navigation, so that keyboards and screen readers start there. A page
 * that focuses a field of its own, shows a dialog, or was opened from a list beside it keeps it.
 */
export function useFocusAfterNavigation<T extends HTMLElement>() {
  const heading = useRef<T>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const before = focusedPath;
    focusedPath = pathname;
    if (before === undefined || before === pathname) {
      return;
    }
    const keeps = document.activeElement?.matches(
      "main input, main textarea, main [contenteditable=true], main aside a:focus-visible, [role=dialog] *",
    );
    if (!keeps) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [pathname]);
  return heading;
}
