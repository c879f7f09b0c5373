/** The first match counts: the names of other browsers are in most headers. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** Formats a User-Agent header as "Firefox on Linux"; an unknown one as its first word. */
export function browserName(userAgent: string | null | undefined): string {
  if (!userAgent) {
    return "Unknown browser";
  }
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS) ?? userAgent.split(/[\s/]/)[0] ?? userAgent;
  const system = find(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
