import { ActionIcon, Button, Text, Title } from "@mantine/core";

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
