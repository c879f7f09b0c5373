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
      if (!opened) {
        return;
      }
      if ((location.state as { dialog?: string } | null)?.dialog === name) {
        forgetDialogEntries();
        void navigate(-1);
      } else {
        filters.set(DIALOG, null);
      }
    },
  };
}
