import { DEFAULT_THEME } from "@mantine/core";
import { expect, test } from "vitest";
import { theme } from "./theme";

const HEX = /#[0-9a-f]{6}/gi;
const DARK_BODY = "#242424";

const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);

function luminance(values: number[]): number {
  const [red, green, blue] = values.map((each) =>
    each <= 0.040_45 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: number[], other: number[]): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

test.each(["indigo", "gray", "red", "yellow"])(
  "text of %s buttons is readable under the pointer",
  (color) => {
    const resolved = theme.variantColorResolver!({
      color,
      variant: "subtle",
      theme: { ...DEFAULT_THEME, primaryShade: { light: 8, dark: 8 } },
    });
    const [textInLight, textInDark] = resolved.color.match(HEX)!.map(channels);
    const [hoverInLight, tint] = resolved.hover.match(HEX)!.map(channels);
    const hoverInDark = tint!.map((each, index) => each * 0.3 + channels(DARK_BODY)[index]! * 0.7);
    expect(contrast(textInLight!, hoverInLight!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(textInDark!, hoverInDark)).toBeGreaterThanOrEqual(4.5);
  },
);
