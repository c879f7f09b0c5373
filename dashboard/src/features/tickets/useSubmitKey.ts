import { useWindowEvent } from "@mantine/hooks";
import { type RefObject } from "react";

/**
 * Submits the form with Ctrl+Enter. Fields that use the key themselves, such as the comment, prevent its default.
 *
 * @param anywhere whether the focus may be outside of the form
 */
export function useSubmitKey(form: RefObject<HTMLFormElement | null>, anywhere: boolean) {
  const onKey = (event: KeyboardEvent) => {
    const isInside = event.target instanceof Node && form.current?.contains(event.target);
    if (
      event.key === "Enter" &&
      (event.ctrlKey || event.metaKey) &&
      !event.repeat &&
      !event.defaultPrevented &&
      (anywhere || isInside) &&
      document.querySelector('[role="dialog"]') === null
    ) {
      event.preventDefault();
      form.current?.requestSubmit();
    }
  };
  useWindowEvent("keydown", onKey);
}
