import { useLocation, useNavigate } from "react-router";
import { useOrganizationId } from "../../api";
import { useShortcutHelp, type ShortcutGroup } from "../../components/shortcuts";
import { useShortcutKeys } from "../../components/useShortcutKeys";
import { listSearch, readFilters } from "./runFilters";
import { useRunList } from "./useRunList";

const SHORTCUTS: ShortcutGroup = {
  title: "Run",
  shortcuts: [
    ["J", "Next run"],
    ["K", "Previous run"],
  ],
};

/** The URLs of the runs before and after one in the list that the user came from, with keys that open them. */
export function useNeighborRuns(id: string) {
  const orgId = useOrganizationId();
  useShortcutHelp(SHORTCUTS);
  const navigate = useNavigate();
  const { search } = useLocation();
  const ofList = listSearch(search);
  const { items } = useRunList(readFilters(new URLSearchParams(ofList)), { poll: false }).pages;
  const index = items.findIndex((run) => run.workflow_instance_id === id);
  const urlOf = (at: number) => {
    const run = index < 0 ? undefined : items[at];
    return run && `/organizations/${orgId}/runs/${run.workflow_instance_id}${ofList}`;
  };
  const [previous, next] = [urlOf(index - 1), urlOf(index + 1)];
  useShortcutKeys({
    j: () => next && void navigate(next),
    k: () => previous && void navigate(previous),
  });
  return { isListed: index >= 0, previous, next };
}
