import { useMantineColorScheme } from "@mantine/core";
import {
  IconAlertTriangle,
  IconArrowRight,
  IconBook,
  IconCode,
  IconClockExclamation,
  IconDatabase,
  IconHistory,
  IconKeyboard,
  IconLogout,
  IconPlus,
  IconRobot,
  IconTool,
  IconUser,
  IconUserCircle,
  IconUsersGroup,
  type Icon,
} from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import {
  useCodeArtifacts,
  useDataLakes,
  useIsAdmin,
  useIsMember,
  useMe,
  useMembers,
  useTeams,
  useTools,
  useWorkflows,
  type Schemas,
} from "../api";
import { recentPages } from "../components/recentPages";
import { SearchDialog, type SearchItem } from "../components/SearchDialog";
import { withoutVerb } from "../components/searchRanking";
import { SCHEMES } from "../components/colorSchemes";
import { useMenuSections } from "./menuItems";
import { providerName } from "../features/tools/providerKinds";
import { useFoundByServer } from "./useFoundByServer";
import { usePageActions } from "./usePageActions";

interface Props {
  orgId: string;
  /** The text that was typed before this script was loaded. */
  takeTyped: () => string;
  onClose: () => void;
  onShowShortcuts: () => void;
  onSignOut: () => void;
}

/** Ctrl+K: goes to anything in the organization by name, number or ID, and starts what the menus start. */
export default function CommandPalette({ orgId, takeTyped, onClose, onShowShortcuts, onSignOut }: Props) {
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const isMember = useIsMember();
  const base = `/organizations/${orgId}/`;
  const goTo = (path: string) => void navigate(path.startsWith("/") ? path : base + path);
  const recent = useRecentItems(orgId, goTo);
  const pages = usePageItems(goTo);
  const actions = useActions(goTo, { onShowShortcuts, onSignOut });
  const ofPage = usePageActions(goTo).filter(({ label }) => actions.every((each) => each.label !== label));
  const things = useNamedItems(goTo);
  const found = useFoundByServer(orgId, isMember ? withoutVerb(text) : "", goTo);
  const typed = text.trim() !== "";
  useReturnFocus();
  // A thing that was visited is not listed twice. Its own entry is kept, which has more to match than its title.
  const others = [...ofPage, ...actions, ...pages, ...things, ...found.items];
  // A conversation that is found by its text opens at the message.
  const listed = new Set(others.map(({ key }) => base + key.split("?")[0]));
  const items = [...recent.filter(({ key }) => !listed.has(key)), ...others];
  return (
    <SearchDialog
      title="Search or run a command"
      label="Name, number, text or command"
      opened
      onClose={onClose}
      onSearch={setText}
      searching={found.searching}
      takeTyped={takeTyped}
      items={typed ? items : [...ofPage, ...recent, ...pages, ...actions]}
    />
  );
}

/** Returns the focus on closing, unless something that was chosen has it. */
function useReturnFocus() {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) {
        before.focus({ preventScroll: true });
      }
    },
    [before],
  );
}

type GoTo = (path: string) => void;

/** Makes items that open pages. */
const itemsFor =
  (goTo: GoTo) => (group: string, path: string, label: string, description: string, icon: Icon) =>
    ({ key: path, group, label, description, icon, onChoose: () => goTo(path) }) satisfies SearchItem;

const KINDS: Record<string, string> = {
  agents: "Agent",
  tickets: "Ticket",
  runs: "Run",
  conversations: "Conversation",
  tools: "Tool",
  code: "Code",
  data: "Data set",
};

function useRecentItems(orgId: string, goTo: GoTo): SearchItem[] {
  const item = itemsFor(goTo);
  const { data: me } = useMe();
  return recentPages(me?.id ?? "", orgId)
    .filter(({ path }) => path !== window.location.pathname)
    .slice(0, 5)
    .map(({ path, title }) => {
      const [, , , kind = "", id = ""] = path.split("/");
      // Runs of one agent have the same title.
      const isAlike = kind === "runs" || kind === "conversations";
      const description = isAlike ? `${KINDS[kind]} · …${id.slice(-8)}` : (KINDS[kind] ?? "");
      return item("Recent", path, title, description, IconHistory);
    });
}

function usePageItems(goTo: GoTo): SearchItem[] {
  const item = itemsFor(goTo);
  const menu = useMenuSections();
  const { data: me } = useMe();
  return [
    ...menu.flatMap((section) =>
      section.items.map(({ path, label, icon }) => item("Pages", path, label, section.label, icon)),
    ),
    item("Pages", "runs?status=FAILED", "Failed runs", "Runs", IconAlertTriangle),
    item(
      "Pages",
      "tickets?assignee=all&overdue=true&sort=due",
      "Overdue tickets",
      "Tickets",
      IconClockExclamation,
    ),
    item(
      "Pages",
      "/account",
      "Account settings",
      "Your profile, password, emails, theme and sessions",
      IconUserCircle,
    ),
    {
      ...item("Pages", "/docs", "API reference", "Documentation, help", IconBook),
      // Not within the dashboard's layout.
      onChoose: () => window.location.assign("/docs"),
    },
    ...(me?.organizations ?? [])
      .filter((each) => !window.location.pathname.startsWith(`/organizations/${each.id}`))
      .map((each) => item("Pages", `/organizations/${each.id}`, each.name, "Organization", IconArrowRight)),
  ];
}

interface Handlers {
  onShowShortcuts: () => void;
  onSignOut: () => void;
}

function useActions(goTo: GoTo, { onShowShortcuts, onSignOut }: Handlers): SearchItem[] {
  const isAdmin = useIsAdmin();
  const isMember = useIsMember();
  const { setColorScheme } = useMantineColorScheme();
  const action = (label: string, icon: Icon, onChoose: () => void, description = "Action"): SearchItem => ({
    key: `action:${label}`,
    group: "Actions",
    label,
    description,
    icon,
    onChoose,
  });
  const create = (label: string, path: string) => action(label, IconPlus, () => goTo(path));
  return [
    ...(isMember
      ? [
          create("New agent", "agents?dialog=new-agent"),
          create("New conversation", "conversations?dialog=new-conversation"),
        ]
      : []),
    ...(isAdmin
      ? [
          create("Create new API key", "api-access?dialog=new-key"),
          create("Invite member", "members?dialog=invite"),
          create("New code", "code?dialog=new-code"),
          create("Add data set", "data?dialog=add-data"),
          create("Add tool provider", "tools?dialog=add-provider"),
          create("Add webhook endpoint", "webhooks?dialog=add-endpoint"),
        ]
      : []),
    ...SCHEMES.map(({ value, label, icon }) =>
      action(`Switch theme: ${label}`, icon, () => setColorScheme(value), "Action · appearance"),
    ),
    { ...action("Keyboard shortcuts", IconKeyboard, onShowShortcuts), shortcut: "?" },
    action("Sign out", IconLogout, onSignOut, "Action · log out"),
  ];
}

/** Agents, tools and other named items. Their lists load when the palette first opens. */
function useNamedItems(goTo: GoTo): SearchItem[] {
  const item = itemsFor(goTo);
  // An operator who is not a member may not read them.
  const enabled = useIsMember();
  const { data: agents = [] } = useWorkflows({ enabled });
  const { data: tools = [] } = useTools({ enabled });
  const { data: code = [] } = useCodeArtifacts({ enabled });
  const { data: lakes = [] } = useDataLakes({ enabled });
  const { data: members = [] } = useMembers({ enabled });
  const { data: teams = [] } = useTeams({ enabled });
  const about = ({ provider, tool_name }: Schemas["Tool"]) =>
    `Tool · ${providerName(provider)} · ${tool_name}`;
  return [
    ...agents.map(({ id, name }) => item("Agents", `agents/${id}`, name, "Agent", IconRobot)),
    // Agents are listed as agents.
    ...tools
      .filter((each) => each.provider !== "workflow")
      .map((each) =>
        item("Tools", `tools/${each.tool_id}`, each.title || each.tool_name, about(each), IconTool),
      ),
    ...code.map(({ id, name, language }) => item("Code", `code/${id}`, name, `Code · ${language}`, IconCode)),
    ...lakes.map(({ id, name }) => item("Data", `data/${id}`, name, "Data set", IconDatabase)),
    ...teams.map(({ id, name }) => item("Teams", `teams/${id}`, name, "Team", IconUsersGroup)),
    ...members.map(({ name, email }) =>
      item("Members", `members?search=${encodeURIComponent(email)}`, name, `Member · ${email}`, IconUser),
    ),
  ];
}
