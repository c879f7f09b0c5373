import { ActionIcon, Anchor, AppShell, Burger, Group, Kbd, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect } from "react";
import { Link, Navigate, Outlet, useLocation } from "react-router";
import { useIsMember, useOrganizationId } from "../api/organization";
import { useMe } from "../api/queries";
import { rememberOrganization } from "./lastOrganization";
import { GoToDialog } from "./GoToDialog";
import { MainMenu } from "./MainMenu";
import { SETTINGS } from "./menuItems";
import { OrganizationSwitcher } from "./OrganizationSwitcher";
import { UserMenu } from "./UserMenu";
import { NotFound } from "../components/NotFound";
import { ShortcutOverview } from "../components/ShortcutOverview";

/** The layout of every organization page: organization switcher, menu and user menu. */
export function OrganizationLayout() {
  const orgId = useOrganizationId();
  const { data: me } = useMe();
  const { pathname } = useLocation();
  const [menuOpen, menu] = useDisclosure(false);
  const [goToOpen, goTo] = useDisclosure(false);
  const [shortcutsOpen, shortcuts] = useDisclosure(false);
  const isMember = useIsMember();
  const settings = `/organizations/${orgId}/${SETTINGS}`;

  useEffect(() => {
    if (isMember) {
      rememberOrganization(orgId);
    }
  }, [orgId, isMember]);
  const { close: closeMenu } = menu;
  useEffect(() => {
    // Close the phone menu after navigation.
    closeMenu();
  }, [pathname, closeMenu]);

  if (!isMember && !me?.operator) {
    return <NotFound />;
  }
  if (!isMember && pathname !== settings) {
    return <Navigate to={settings} replace />;
  }
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !menuOpen } }}
      padding={{ base: "md", sm: "xl" }}
    >
      <a className="skip" href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={menuOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Anchor component={Link} to="/" underline="never" c="inherit" visibleFrom="xs">
              <Group gap={8} wrap="nowrap">
                <img src="/icon.svg" width={24} height={24} alt="" />
                <Text fw={700}>Parley</Text>
              </Group>
            </Anchor>
            <OrganizationSwitcher orgId={orgId} />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Tooltip
              label={
                <>
                  Go to… <Kbd size="xs">Ctrl K</Kbd>
                </>
              }
            >
              <ActionIcon variant="subtle" color="gray" size="lg" onClick={goTo.open} aria-label="Go to">
                <IconSearch size={18} />
              </ActionIcon>
            </Tooltip>
            <UserMenu onShowShortcuts={shortcuts.open} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <MainMenu orgId={orgId} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} style={{ outline: "none" }}>
        <Outlet key={orgId} />
      </AppShell.Main>
      <GoToDialog orgId={orgId} opened={goToOpen} onOpen={goTo.open} onClose={goTo.close} />
      <ShortcutOverview opened={shortcutsOpen} onOpen={shortcuts.open} onClose={shortcuts.close} />
    </AppShell>
  );
}
