import { ActionIcon, Kbd, Menu, Text, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import {
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconUserCircle,
} from "@tabler/icons-react";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "../api/client";
import { ApiError } from "../api/problem";
import { useMe } from "../api/queries";
import { setSessionUser } from "../api/session";
import { ConfirmDialog } from "../components/ConfirmDialog";
import { forgetUnsavedChanges, hasUnsavedChanges } from "../components/leaveGuard";
import { browserStorage, removeDraftsOf } from "../components/localDrafts";
import { queryClient } from "../queryClient";

const SCHEMES: { value: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "Match system", icon: IconDeviceDesktop },
];

export function UserMenu({ onShowShortcuts }: { onShowShortcuts?: () => void }) {
  const { data: me } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useMutation({
    mutationFn: async () => {
      const { response } = await api.POST("/dashboard/api/logout");
      if (!response.ok && response.status !== 401) {
        throw ApiError.of(response, null);
      }
    },
    onSuccess: () => {
      // The next user of this browser must not see cached data or drafts.
      setSessionUser(null);
      queryClient.clear();
      forgetUnsavedChanges();
      removeDraftsOf(browserStorage(), me?.id ?? "");
      location.assign("/sign-in");
    },
    onError: (error) =>
      notifications.show({ title: "Couldn’t sign out", message: error.message, color: "red" }),
  });
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" radius="xl" aria-label="Your account">
            <IconUserCircle size={24} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" fw={600} c="var(--mantine-color-text)">
              {me?.name}
            </Text>
            <Text size="xs">{me?.email}</Text>
          </Menu.Label>
          <Menu.Item component={Link} to="/account" leftSection={<IconSettings size={16} />}>
            Account settings
          </Menu.Item>
          {onShowShortcuts && (
            <Menu.Item
              leftSection={<IconKeyboard size={16} />}
              rightSection={<Kbd size="xs">?</Kbd>}
              onClick={onShowShortcuts}
            >
              Keyboard shortcuts
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Label>Theme</Menu.Label>
          {SCHEMES.map(({ value, label, icon: Picture }) => (
            <Menu.Item
              key={value}
              closeMenuOnClick={false}
              leftSection={<Picture size={16} />}
              rightSection={colorScheme === value ? <IconCheck size={16} aria-label="selected" /> : undefined}
              onClick={() => setColorScheme(value)}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLogout size={16} />}
            onClick={() => (hasUnsavedChanges() ? setConfirming(true) : signOut.mutate())}
          >
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={confirming}
        title="Sign out without saving?"
        action="Sign out"
        mutation={signOut}
        onConfirm={() => signOut.mutate()}
        onClose={() => setConfirming(false)}
      >
        <Text size="sm">You have unsaved changes. If you sign out, they’ll be lost.</Text>
      </ConfirmDialog>
    </>
  );
}
