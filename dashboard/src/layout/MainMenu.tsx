import { Badge, NavLink, ScrollArea, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "react-router";
import { api, unwrap } from "../api/client";
import { useIsMember } from "../api/organization";
import { useMenuSections } from "./menuItems";

const MAX_SHOWN_COUNT = 99;

/** The number of open tickets that the person can claim or has claimed, without those of test runs. */
function useWaitingTicketCount(orgId: string) {
  return useQuery({
    queryKey: ["organization", orgId, "tickets", "count"],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/tickets/count", {
          params: { path: { orgId }, query: { available: true, test_run: false } },
        }),
      ),
    refetchInterval: 20_000,
    enabled: useIsMember(),
  });
}

export function MainMenu({ orgId }: { orgId: string }) {
  const { pathname } = useLocation();
  const menu = useMenuSections();
  const waiting = useWaitingTicketCount(orgId).data?.count ?? 0;
  return (
    <ScrollArea component="nav" aria-label="Menu" type="auto" scrollbarSize={6}>
      {menu.map((section) => (
        <div key={section.label}>
          <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4}>
            {section.label}
          </Text>
          {section.items.map((item) => {
            const to = `/organizations/${orgId}/${item.path}`;
            const active = pathname === to || pathname.startsWith(`${to}/`);
            return (
              <NavLink
                key={item.path}
                component={Link}
                to={to}
                label={item.label}
                leftSection={<item.icon size={18} stroke={1.6} aria-hidden />}
                rightSection={item.path === "tickets" && waiting > 0 ? <Count count={waiting} /> : undefined}
                active={active}
                aria-current={active ? "page" : undefined}
                py={{ base: 8, sm: 5 }}
                style={{ borderRadius: 8 }}
              />
            );
          })}
        </div>
      ))}
    </ScrollArea>
  );
}

function Count({ count }: { count: number }) {
  return (
    <Badge size="sm" circle={count < 10} aria-label={`${count} waiting for you`}>
      {count > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : count}
    </Badge>
  );
}
