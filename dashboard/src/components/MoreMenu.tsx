import { Menu, type ElementProps, type MenuItemProps } from "@mantine/core";
import { IconDots, type Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { IconButton, LargeIconButton } from "./IconButton";
import { PageLink } from "./PageLink";

interface MenuProps {
  label?: string;
  /** In the row of a list, where the button has no border. */
  inRow?: boolean;
  loading?: boolean;
  children: ReactNode;
}

/** The less frequent actions of a page or a row, behind a button with three dots. */
export function MoreMenu({ label = "More actions", inRow = false, loading, children }: MenuProps) {
  const Target = inRow ? IconButton : LargeIconButton;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Target icon={IconDots} iconSize={18} label={label} loading={loading} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface ItemProps extends MenuItemProps, ElementProps<"button", keyof MenuItemProps> {
  icon: Icon;
  label: string;
  /** The page that the item opens, as for a `PageLink`. */
  to?: string;
  danger?: boolean;
}

/** An item of a menu, with an icon. */
export function MenuItem({ icon: Picture, label, to, danger = false, ...item }: ItemProps) {
  const shown = { leftSection: <Picture size={16} />, c: danger ? "var(--mantine-color-error)" : undefined };
  return to === undefined ? (
    <Menu.Item {...shown} {...item}>
      {label}
    </Menu.Item>
  ) : (
    <Menu.Item component={PageLink} to={to} {...shown}>
      {label}
    </Menu.Item>
  );
}
