import { Kbd, Menu, Text, useMantineColorScheme } from "@mantine/core";
import {
  IconBook,
  IconCheck,
  IconKeyboard,
  IconLogout,
  IconSettings,
  IconUserCircle,
} from "@tabler/icons-react";
import { Link } from "react-router";
import { useMe } from "../api";
import { MenuItem } from "../components/MoreMenu";
import { Strong, QuietIcon } from "../components/variants";
import { SCHEMES } from "../components/colorSchemes";

interface Props {
  onShowShortcuts: () => void;
  onSignOut: () => void;
}

export function UserMenu({ onShowShortcuts, onSignOut }: Props) {
  const { data: me } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <QuietIcon size="lg" radius="xl" aria-label="Your account">
          <IconUserCircle size={24} stroke={1.6} />
        </QuietIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Strong c="var(--mantine-color-text)">{me?.name}</Strong>
          <Text size="xs">{me?.email}</Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconSettings size={16} />}>
          Account settings
        </Menu.Item>
        <MenuItem
          icon={IconKeyboard}
          label="Keyboard shortcuts"
          rightSection={<Kbd size="xs">?</Kbd>}
          onClick={onShowShortcuts}
        />
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} />}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {SCHEMES.map(({ value, label, icon: Picture }) => (
          <MenuItem
            icon={Picture}
            label={label}
            key={value}
            closeMenuOnClick={false}
            rightSection={colorScheme === value ? <IconCheck size={16} aria-label="selected" /> : undefined}
            onClick={() => setColorScheme(value)}
          />
        ))}
        <Menu.Divider />
        <MenuItem icon={IconLogout} label="Sign out" onClick={onSignOut} />
      </Menu.Dropdown>
    </Menu>
  );
}
