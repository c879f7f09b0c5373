import { Kbd, Menu } from "@mantine/core";

export interface MenuPlace {
  target: "task" | "note" | "edge" | "canvas";
  /** In pixels of the window. */
  x: number;
  y: number;
}

export interface MenuAction {
  label: string;
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  onChoose: () => void;
}

interface Props {
  place: MenuPlace | null;
  /** What the actions apply to, if that is not where the menu is. */
  title?: string;
  actions: readonly MenuAction[];
  onClose: () => void;
}

/** The context menu of the canvas, opened with the right mouse button, the menu key or Shift+F10. */
export function CanvasMenu({ place, title, actions, onClose }: Props) {
  if (!place) {
    return null;
  }
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      width={240}
      withinPortal
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <span style={{ position: "fixed", left: place.x, top: place.y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label="Canvas">
        {title !== undefined && <Menu.Label>{title}</Menu.Label>}
        {actions.map((action) => (
          <Menu.Item
            key={action.label}
            color={action.danger ? "red" : undefined}
            disabled={action.disabled}
            rightSection={action.keys && <Kbd size="xs">{action.keys}</Kbd>}
            onClick={action.onChoose}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
