import type { MouseEvent } from "react";
import { createTheme, defaultVariantColorsResolver, type CSSVariablesResolver } from "@mantine/core";

/** The Mantine theme. Shades have a contrast of at least 4.5:1 in both color schemes. */
export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: "md",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontWeight: "650" },
  cursorType: "pointer",
  variantColorResolver: (input) => {
    const found = defaultVariantColorsResolver(input);
    const shades = input.theme.colors[input.color ?? ""];
    if (!shades || (input.variant !== "light" && input.variant !== "subtle")) {
      return found;
    }
    const onLight = input.color === "yellow" ? "#7a4100" : shades[9];
    const color = `light-dark(${onLight}, ${shades[2]})`;
    // The default of the dark scheme is as loud as a filled button.
    // The default of the light scheme, shade 2, leaves the text less than 4.5:1.
    const hover = `light-dark(${shades[1]}, color-mix(in srgb, ${shades[7]} 30%, transparent))`;
    return input.variant === "light"
      ? {
          ...found,
          color,
          hover,
          background: `light-dark(${found.background}, color-mix(in srgb, ${shades[7]} 20%, transparent))`,
        }
      : { ...found, color, hover };
  },
  components: {
    Anchor: { defaultProps: { underline: "always" } },
    // The smallest buttons are targets of 24 px.
    Button: {
      vars: (_: unknown, { size }: { size?: string }) => ({
        root: size === "compact-xs" ? { "--button-height": "24px" } : {},
      }),
    },
    Modal: {
      defaultProps: {
        closeButtonProps: { "aria-label": "Close" },
        centered: true,
        // Closing may clear the content; an exit transition would show the empty dialog.
        transitionProps: { exitDuration: 0 },
        overlayProps: { backgroundOpacity: 0.4, blur: 2 },
      },
      styles: { title: { fontWeight: 600 } },
    },
    // A header of the page is a landmark; the one of a dialog is not.
    ModalHeader: { defaultProps: { role: "presentation" } },
    FileButton: {
      defaultProps: {
        inputProps: {
          // Without the reset, choosing the same file again fires no change event.
          onClick: (event: MouseEvent<HTMLInputElement>) => {
            event.currentTarget.value = "";
          },
        },
      },
    },
    CloseButton: { defaultProps: { "aria-label": "Close" } },
    // Typing and Enter choose the first match.
    Select: { defaultProps: { selectFirstOptionOnChange: true } },
    MultiSelect: { defaultProps: { selectFirstOptionOnChange: true } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Table: { defaultProps: { verticalSpacing: "sm" } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#565e68",
    "--mantine-color-error": "#b42318",
    "--mantine-color-placeholder": "#6b737c",
    "--mantine-color-body": "#ffffff",
    "--parley-raised": "#f7f8fa",
  },
  dark: {
    "--mantine-color-dimmed": "#a3aab3",
    "--mantine-color-error": "#ff9b93",
    "--mantine-color-placeholder": "#949ca5",
    "--mantine-color-anchor": "#91a7ff",
    "--mantine-color-default-border": "#4a4f55",
    "--mantine-color-disabled": "#33373c",
    "--mantine-color-disabled-color": "#a3aab3",
    "--mantine-color-disabled-border": "#6b737c",
    "--parley-raised": "#1e2022",
  },
});
