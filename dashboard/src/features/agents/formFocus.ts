import { useEffect, useState, type RefObject } from "react";
import type { ValidationIssue } from "../../values/validation";

interface FocusRequest {
  /** The task of the form; null for the form of the agent. */
  task: string | null;
  issue?: ValidationIssue;
  /** The name of a field, if not the first one. */
  field?: string;
}

const FIELD = "input:not([type=hidden]), textarea, select";

/** The field that shows an issue as a text below it, or else the one that has the path of the issue. */
function fieldOf(form: HTMLElement, issue: ValidationIssue): HTMLElement | null {
  const texts = [...form.querySelectorAll<HTMLElement>(".mantine-InputWrapper-error, [data-issue]")];
  const shown = texts.find((each) => each.textContent?.includes(issue.detail));
  const wrapper = shown?.closest(".mantine-InputWrapper-root, [data-issue-field]");
  return wrapper?.querySelector<HTMLElement>(FIELD) ?? fieldAt(form, issue.path ?? "");
}

/** The innermost field whose path is that of an issue or leads to it. */
function fieldAt(form: HTMLElement, path: string): HTMLElement | null {
  const lengthOf = ({ dataset }: HTMLElement) => dataset.path?.length ?? 0;
  const [element] = [...form.querySelectorAll<HTMLElement>("[data-path]")]
    .filter(({ dataset }) => path === dataset.path || path.startsWith(`${dataset.path}/`))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one));
  return element?.matches(FIELD)
    ? element
    : (element?.querySelector<HTMLElement>(`${FIELD}, button`) ?? null);
}

const TABBABLE = `a[href], button, ${FIELD}, summary, [tabindex]`;

/** Whether Tab would leave the form from this element. */
export function isLastTabStop(form: HTMLElement, element: Element): boolean {
  const stops = [...form.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (each) => each.tabIndex >= 0 && !each.matches(":disabled") && each.checkVisibility(),
  );
  return stops.at(-1) === element;
}

/**
 * Moves the focus to the first field of a form, or to the field of an issue, as soon as the form is shown. `shownTask` is
 * the task of the shown form, null for the agent, or undefined without a form.
 */
export function useFormFocus(panel: RefObject<HTMLElement | null>, shownTask: string | null | undefined) {
  const [request, setRequest] = useState<FocusRequest | null>(null);
  useEffect(() => {
    if (!request || request.task !== shownTask || !panel.current) {
      return undefined;
    }
    // Menus and dialogs return the focus when they close, which must not win.
    const timer = window.setTimeout(() => {
      const form = panel.current;
      const field =
        form &&
        ((request.issue && fieldOf(form, request.issue)) ??
          form.querySelector<HTMLElement>(`[data-field="${request.field ?? ""}"]`) ??
          form.querySelector<HTMLElement>(FIELD));
      field?.closest("details")?.setAttribute("open", "");
      field?.focus();
      // A name is replaced by typing, such as that of a new task.
      if (!request.issue && request.field === undefined && field instanceof HTMLInputElement) {
        field.select();
      }
      field?.scrollIntoView({ block: request.issue ? "center" : "nearest" });
      setRequest(null);
    }, 0);
    return () => window.clearTimeout(timer);
  }, [request, shownTask, panel]);
  return setRequest;
}
