import { ActionIcon, Button, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

export const Dimmed = Text.withProps({ size: "sm", c: "dimmed" });
export const DimmedXs = Text.withProps({ size: "xs", c: "dimmed" });
export const Strong = Text.withProps({ size: "sm", fw: 600 });
export const ErrorText = Text.withProps({ size: "sm", c: "var(--mantine-color-error)" });
export const ErrorXs = Text.withProps({ size: "xs", c: "var(--mantine-color-error)" });

/** The headings of a page's sections and cards. */
export const SectionHeading = Title.withProps({ order: 2, size: "h4" });
export const CardHeading = Title.withProps({ order: 2, size: "h5" });

export const SecondaryButton = Button.withProps({ variant: "default" });
export const SmallButton = Button.withProps({ variant: "default", size: "xs" });

/** For actions that are less important than the content. */
export const QuietButton = Button.withProps({ variant: "subtle", color: "gray" });
export const QuietIcon = ActionIcon.withProps({ variant: "subtle", color: "gray" });

/** Opens the dialog that adds something to a list. */
export const AddButton = Button.withProps({ leftSection: <IconPlus size={16} /> });
/** Adds an entry to a form. */
export const SmallAddButton = Button.withProps({
  variant: "default",
  size: "xs",
  leftSection: <IconPlus size={14} />,
});
export const QuietAddButton = Button.withProps({
  size: "compact-xs",
  variant: "subtle",
  leftSection: <IconPlus size={12} />,
});
