import { useEffect, type RefObject } from "react";

const INVALID = '[aria-invalid="true"], input[data-invalid], [data-invalid] input';

/** Moves the focus to the first invalid field of a form after it was refused, or else to the button that sends it. */
export function useFocusOnError(form: RefObject<HTMLFormElement | null>, failed: unknown) {
  useEffect(() => {
    if (failed) {
      const invalid = form.current?.querySelector<HTMLElement>(INVALID);
      (invalid ?? form.current?.querySelector<HTMLElement>('[type="submit"]'))?.focus();
    }
  }, [form, failed]);
}

/** The errors, or null if there are none. */
export const anyOf = (errors: Record<string, string>) => (Object.keys(errors).length > 0 ? errors : null);
