import type { ActionIconProps, ElementProps } from "@mantine/core";
import { IconTrash, type Icon } from "@tabler/icons-react";
import { QuietIcon } from "./variants";

interface Props extends ActionIconProps, ElementProps<"button", keyof ActionIconProps> {
  icon: Icon;
  label: string;
  iconSize?: number;
}

/** A button with an icon only. */
export function IconButton({ icon: Picture, label, iconSize = 16, ...button }: Props) {
  return (
    <QuietIcon aria-label={label} {...button}>
      <Picture size={iconSize} />
    </QuietIcon>
  );
}

/** Removes an entry of a list. */
export const RemoveButton = (button: Omit<Props, "icon">) => (
  <IconButton icon={IconTrash} iconSize={14} {...button} />
);
