import {
  IconApi,
  IconChartBar,
  IconCode,
  IconDatabase,
  IconGauge,
  IconHistory,
  IconInbox,
  IconMail,
  IconMessages,
  IconPlayerPlay,
  IconPlug,
  IconRobot,
  IconSettings,
  IconSparkles,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
  type Icon,
} from "@tabler/icons-react";
import { useIsAdmin, useIsMember } from "../api";

export const SETTINGS = "settings";

export interface MenuItem {
  path: string;
  label: string;
  icon: Icon;
  adminOnly?: boolean;
}

export interface MenuSection {
  label: string;
  items: MenuItem[];
}

/** The menu of an organization; paths are below `/organizations/<id>/`. */
const MENU: MenuSection[] = [
  {
    label: "Work",
    items: [
      { path: "overview", label: "Overview", icon: IconChartBar },
      { path: "tickets", label: "Tickets", icon: IconInbox },
      { path: "conversations", label: "Conversations", icon: IconMessages },
    ],
  },
  {
    label: "Build",
    items: [
      { path: "agents", label: "Agents", icon: IconRobot },
      { path: "runs", label: "Runs", icon: IconPlayerPlay },
      { path: "tools", label: "Tools", icon: IconPlug },
      { path: "models", label: "Models", icon: IconSparkles },
      { path: "code", label: "Code", icon: IconCode },
      { path: "data", label: "Data", icon: IconDatabase },
    ],
  },
  {
    label: "Developer API",
    items: [
      { path: "api-access", label: "API Keys", icon: IconApi, adminOnly: true },
      { path: "webhooks", label: "Webhooks", icon: IconWebhook },
    ],
  },
  {
    label: "Organization",
    items: [
      { path: "members", label: "Members", icon: IconUsers },
      { path: "teams", label: "Teams", icon: IconUsersGroup },
      { path: "usage", label: "Usage", icon: IconGauge },
      { path: "emails", label: "Emails", icon: IconMail, adminOnly: true },
      { path: SETTINGS, label: "Settings", icon: IconSettings, adminOnly: true },
      { path: "audit-log", label: "Audit log", icon: IconHistory, adminOnly: true },
    ],
  },
];

/** The menu for the signed-in user. An operator who is not a member sees only the settings. */
export function useMenuSections(): MenuSection[] {
  const isAdmin = useIsAdmin();
  const isMember = useIsMember();
  return MENU.map(({ label, items }) => ({
    label,
    items: items.filter((item) => (isMember ? isAdmin || !item.adminOnly : item.path === SETTINGS)),
  })).filter((section) => section.items.length > 0);
}
