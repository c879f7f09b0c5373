import { ActionIcon, Anchor, Button, Text, Title, type ButtonProps } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { Link } from "react-router";

export const Dimmed = Text.withProps({ size: "sm", c: "dimmed" });
export const DimmedXs = Text.withProps({ size: "xs", c: "dimmed" });
export const Strong = Text.withProps({ size: "sm", fw: 600 });
/** Texts of people and programs: their lines are kept, and long words wrap. */
export const PlainText = Text.withProps({
  size: "sm",
  style: { whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
});
export const WrappedText = Text.withProps({ size: "sm", style: { overflowWrap: "anywhere" } });
export const ErrorText = Text.withProps({ size: "sm", c: "var(--mantine-color-error)" });
export const ErrorXs = Text.withProps({ size: "xs", c: "var(--mantine-color-error)" });

/** The headings of a page's sections and cards. */
export const SectionHeading = Title.withProps({ order: 2, size: "h4" });
export const CardHeading = Title.withProps({ order: 2, size: "h5" });
export const SubHeading = Title.withProps({ order: 3, size: "h5" });
/** The heading of a part of a dense form. */
export const SmallHeading = Text.withProps({ size: "xs", fw: 500 });

/** Within a text. */
export const InlineAnchor = Anchor.withProps({ inherit: true });
type TextButtonProps = Pick<ComponentProps<"button">, "onClick" | "children">;
export const TextButton = (button: TextButtonProps) => (
  <Anchor component="button" type="button" inherit {...button} />
);

/** Leads to a page. */
export const LinkButton = (button: ButtonProps & ComponentProps<typeof Link>) => (
  <Button component={Link} {...button} />
);
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
