import { Tooltip, type ActionIconProps, type ElementProps } from "@mantine/core";
import { IconTrash, type Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { QuietIcon } from "./variants";

interface Props extends ActionIconProps, ElementProps<"button", keyof ActionIconProps> {
  icon: Icon;
  label: string;
  iconSize?: number;
  /** Shown on hover. */
  tooltip?: ReactNode;
}

/** A button with an icon only. */
export function IconButton({ icon: Picture, label, iconSize = 16, tooltip, ...button }: Props) {
  const shown = (
    <QuietIcon aria-label={label} {...button}>
      <Picture size={iconSize} />
    </QuietIcon>
  );
  return tooltip === undefined ? shown : <Tooltip label={tooltip}>{shown}</Tooltip>;
}

/** One with a border, as high as other buttons. */
export const LargeIconButton = (button: Props) => (
  <IconButton iconSize={18} variant="default" size={36} {...button} />
);

/** Removes an entry of a list. */
export const RemoveButton = (button: Omit<Props, "icon">) => (
  <IconButton icon={IconTrash} iconSize={14} {...button} />
);
