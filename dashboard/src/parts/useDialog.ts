import { useLocation, useNavigate } from "react-router";
import { DIALOG, useFilters } from "./useFilters";

/**
 * A dialog that has an address, so that a link leads to it and "back" closes it. What it makes is gone to in the place
 * of the dialog (`replace`), so that "back" does not open it again.
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
        void navigate(-1);
      } else {
        filters.set(DIALOG, null);
      }
    },
  };
}
