import { Anchor, AppShell, Burger, Group, Kbd, Text } from "@mantine/core";
import { useDisclosure, useElementSize, useHotkeys } from "@mantine/hooks";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { FrameOrganization } from "../api";
import { IconButton } from "../components/IconButton";
import { PrintedOrigin } from "../components/PrintedOrigin";
import { ShortcutOverview } from "../components/ShortcutOverview";
import { useTypedAhead } from "../components/useTypedAhead";
import { ConnectionBanner } from "./ConnectionBanner";
import { useHomeOrganization } from "../components/lastOrganization";
import { useStored } from "../components/useStored";
import { MainMenu } from "./MainMenu";
import { OrganizationSwitcher } from "./OrganizationSwitcher";
import { useGoToKeys } from "./useGoToKeys";
import { UserMenu } from "./UserMenu";
import { useSignOut } from "./useSignOut";

const loadPalette = () => import("./CommandPalette");
const CommandPalette = lazy(loadPalette);

const HEADER_HEIGHT = 56;

interface Props {
  /** The organization of the menu; pages without one have no menu. */
  orgId?: string | undefined;
  children: ReactNode;
}

/** The layout of every page after sign-in: organization switcher, menu and user menu. */
export function Frame({ orgId, children }: Props) {
  const { pathname } = useLocation();
  const { ref: bannerRef, height: bannerHeight } = useElementSize<HTMLDivElement>();
  const [menuOpen, menu] = useDisclosure(false);
  const [hasMenu, setHasMenu] = useStored("menu", true);
  const home = useHomeOrganization();
  /** Pages without a menu search the organization visited last. */
  const searched = orgId ?? home?.id;
  const [paletteOpen, palette] = useDisclosure(false);
  useHotkeys([["mod+K", palette.open]], [], true);
  useGoToKeys(orgId);
  const takeTyped = useTypedAhead(searched !== undefined && paletteOpen);
  const { signOut, confirmation } = useSignOut();
  const [shortcutsOpen, shortcuts] = useDisclosure(false);
  const { close: closeMenu } = menu;
  useEffect(() => {
    // The palette opens without a pause.
    const loading = setTimeout(() => void loadPalette().catch(() => undefined), 2_000);
    return () => clearTimeout(loading);
  }, []);
  useEffect(() => {
    // Close the phone menu after navigation.
    closeMenu();
  }, [pathname, closeMenu]);
  return (
    <AppShell
      header={{ height: HEADER_HEIGHT + bannerHeight }}
      navbar={
        orgId
          ? { width: 232, breakpoint: "sm", collapsed: { mobile: !menuOpen, desktop: !hasMenu } }
          : undefined
      }
      padding={{ base: "md", sm: "xl" }}
    >
      <a className="skip" href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h={HEADER_HEIGHT} px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            {orgId && (
              <Burger opened={menuOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            )}
            {orgId && (
              <IconButton
                icon={hasMenu ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand}
                iconSize={18}
                label={hasMenu ? "Hide menu" : "Show menu"}
                tooltip={hasMenu ? "Hide menu" : "Show menu"}
                size="lg"
                visibleFrom="sm"
                onClick={() => setHasMenu(!hasMenu)}
              />
            )}
            <Anchor component={Link} to="/" underline="never" c="inherit" visibleFrom="xs">
              <Group gap={8} wrap="nowrap">
                <img src="/icon.svg" width={24} height={24} alt="" />
                <Text fw={700}>Parley</Text>
              </Group>
            </Anchor>
            {orgId && <OrganizationSwitcher orgId={orgId} />}
          </Group>
          <Group gap="xs" wrap="nowrap">
            {searched && (
              <IconButton
                icon={IconSearch}
                iconSize={18}
                label="Command palette"
                tooltip={
                  <>
                    Search or run a command <Kbd size="xs">Ctrl K</Kbd>
                  </>
                }
                size="lg"
                onClick={palette.open}
              />
            )}
            <UserMenu onShowShortcuts={shortcuts.open} onSignOut={signOut} />
          </Group>
        </Group>
        <ConnectionBanner ref={bannerRef} />
      </AppShell.Header>
      {orgId && (
        <AppShell.Navbar p="sm">
          <MainMenu orgId={orgId} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="main" tabIndex={-1} style={{ outline: "none" }}>
        <PrintedOrigin orgId={orgId} />
        {children}
      </AppShell.Main>
      {searched && paletteOpen && (
        <Suspense>
          <FrameOrganization value={searched}>
            <CommandPalette
              orgId={searched}
              takeTyped={takeTyped}
              onClose={palette.close}
              onShowShortcuts={shortcuts.open}
              onSignOut={signOut}
            />
          </FrameOrganization>
        </Suspense>
      )}
      {confirmation}
      <ShortcutOverview opened={shortcutsOpen} onOpen={shortcuts.open} onClose={shortcuts.close} />
    </AppShell>
  );
}
