import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { IconFlask, IconHandGrab, IconHandOff, IconLink, IconRepeat, type Icon } from "@tabler/icons-react";
import { api, unwrap, type Schemas } from "../api/client";
import { useMe } from "../api/queries";
import type { SearchItem } from "../components/SearchDialog";
import { useClaim } from "../features/tickets/useClaim";
import { refreshTicketLists } from "../features/tickets/useTicketRefresh";
import { queryClient } from "../queryClient";

const DETAIL_PAGE = /^\/organizations\/[0-9a-f]{32}\/([a-z]+)\/([0-9a-f]+)$/;

/** Commands for the open page: actions on its ticket, run or agent, and copying its link. */
export function usePageActions(orgId: string, goTo: (path: string) => void): SearchItem[] {
  const { data: me } = useMe();
  const claim = useClaim(orgId);
  const release = useRelease(orgId);
  const [, kind, id] = DETAIL_PAGE.exec(window.location.pathname) ?? [];
  if (!kind || !id) {
    return [];
  }
  const action = (label: string, icon: Icon, onChoose: () => void): SearchItem => ({
    key: `page:${label}`,
    group: "This page",
    label,
    icon,
    onChoose,
  });
  const ticketKey = ["organization", orgId, "tickets", "one", id];
  const ticket =
    kind === "tickets" ? queryClient.getQueryData<Schemas["TicketDetails"]>(ticketKey) : undefined;
  const isOpen = ticket?.status === "OPEN" || ticket?.status === "IN_PROGRESS";
  return [
    ...(ticket && isOpen && ticket.claimed_by === null
      ? [
          {
            ...action(`Claim ticket #${ticket.number}`, IconHandGrab, () => claim.mutate(ticket)),
            shortcut: "C",
          },
        ]
      : []),
    ...(ticket && isOpen && me && ticket.claimed_by === me.id
      ? [action(`Release ticket #${ticket.number}`, IconHandOff, () => release.mutate(ticket))]
      : []),
    ...(kind === "runs" ? [action("Run again…", IconRepeat, () => goTo(`runs/${id}?dialog=run-again`))] : []),
    ...(kind === "agents" ? [action("Test run", IconFlask, () => goTo(`agents/${id}?view=test`))] : []),
    action("Copy link", IconLink, () => void copyLink()),
  ];
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(window.location.href);
    notifications.show({ message: "Link copied." });
  } catch {
    notifications.show({ color: "red", message: "The browser did not allow copying." });
  }
}

/** Releases a ticket that the user has claimed. */
function useRelease(orgId: string) {
  return useMutation({
    mutationFn: ({ id }: { id: string; number: number }) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/release", {
          params: { path: { orgId, ticketId: id } },
        }),
      ),
    onSuccess: (released) => {
      queryClient.setQueryData(["organization", orgId, "tickets", "one", released.id], released);
      notifications.show({ message: `You released ticket #${released.number}.` });
    },
    onError: (error, { number }) =>
      notifications.show({ color: "red", message: `Ticket #${number}: ${error.message}` }),
    onSettled: () => refreshTicketLists(orgId),
  });
}
