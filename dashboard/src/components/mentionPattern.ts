const escaped = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Matches "@Name" for these names, of "Ada" and "Ada Lovelace" the longer one; null without names. */
export function mentionPattern(names: string[]): RegExp | null {
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map(escaped);
  return names.length === 0
    ? null
    : new RegExp(String.raw`(?<![\p{L}\p{N}_])@(?:${longestFirst.join("|")})(?![\p{L}\p{N}_])`, "gu");
}
