import { ActionIcon, Anchor, AppShell, Burger, Group, Kbd, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect } from "react";
import { Link, Navigate, Outlet, useLocation } from "react-router";
import { useIsMember, useOrganizationId } from "../api/organization";
import { useMe } from "../api/queries";
import { rememberOrganization } from "./lastOrganization";
import { GoTo } from "./GoTo";
import { Menu } from "./Menu";
import { SETTINGS } from "./menu";
import { OrganizationSwitcher } from "./OrganizationSwitcher";
import { PersonMenu } from "./PersonMenu";
import { NotFound } from "../parts/NotFound";

/** The frame around every page of an organization: switcher, menu, and who is signed in. */
export function OrganizationFrame() {
  const orgId = useOrganizationId();
  const { data: me } = useMe();
  const { pathname } = useLocation();
  const [menuOpen, menu] = useDisclosure(false);
  const [goToOpen, goTo] = useDisclosure(false);
  const isMember = useIsMember();
  const settings = `/organizations/${orgId}/${SETTINGS}`;

  useEffect(() => {
    if (isMember) {
      rememberOrganization(orgId);
    }
  }, [orgId, isMember]);
  const { close: closeMenu } = menu;
  useEffect(() => {
    // Whoever went to another page has no use for the open menu.
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
        Skip to the content
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
                  Go to … <Kbd size="xs">Ctrl K</Kbd>
                </>
              }
            >
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                onClick={goTo.open}
                aria-label="Go to a page"
              >
                <IconSearch size={18} />
              </ActionIcon>
            </Tooltip>
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Menu orgId={orgId} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} style={{ outline: "none" }}>
        <Outlet key={orgId} />
      </AppShell.Main>
      <GoTo orgId={orgId} opened={goToOpen} onOpen={goTo.open} onClose={goTo.close} />
    </AppShell>
  );
}
