import { Badge, NavLink, ScrollArea } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { useIsMember } from "../api";
import { DimmedXs } from "../components/variants";
import { useWaitingTickets } from "../features/tickets/useWaitingTickets";
import { useMenuSections } from "./menuItems";

const MAX_SHOWN_COUNT = 99;

export function MainMenu({ orgId }: { orgId: string }) {
  const { pathname } = useLocation();
  const menu = useMenuSections();
  const { mine, team } = useWaitingTickets(useIsMember());
  return (
    <ScrollArea component="nav" aria-label="Menu" type="auto" scrollbarSize={6}>
      {menu.map((section) => (
        <div key={section.label}>
          <DimmedXs fw={600} px="sm" pt="sm" pb={4}>
            {section.label}
          </DimmedXs>
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
                rightSection={item.path === "tickets" ? <TicketCount mine={mine} team={team} /> : undefined}
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

/** The open tickets of the first two tabs of the inbox. */
function TicketCount({ mine, team }: { mine: number; team: number }) {
  const count = mine + team;
  const parts = `${mine} for you, ${team} unclaimed in your teams`;
  return count === 0 ? null : (
    <Badge size="sm" circle={count < 10} title={parts} aria-label={parts}>
      {count > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : count}
    </Badge>
  );
}
