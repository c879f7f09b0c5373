import { useLocation, useNavigate } from "react-router";
import { forgetDialogEntries } from "./leaveGuard";
import { DIALOG, useFilters } from "./useFilters";

/**
 * A dialog with its own URL: links open it, Back closes it. After creating something, navigate with `replace`, or Back
 * would open the dialog again.
 */
export function useDialog(name: string) {
  const filters = useFilters();
  const navigate = useNavigate();
  const location = useLocation();
  const opened = filters.get(DIALOG) === name;
  return {
    opened,
    open: () => filters.set(DIALOG, name, { push: true, state: { dialog: name } }),
    close: () => {
      // On a slow machine the page renders after the address has changed: a dialog may be closed before `opened` is true.
      const isInAddress = new URLSearchParams(window.location.search).get(DIALOG) === name;
      if (!opened && !isInAddress) {
        return;
      }
      const state = (opened ? location.state : (window.history.state as { usr?: unknown } | null)?.usr) as {
        dialog?: string;
      } | null;
      if (state?.dialog === name) {
        forgetDialogEntries();
        void navigate(-1);
      } else {
        filters.set(DIALOG, null);
      }
    },
  };
}
