import type { Schemas } from "../../api";

type Operation = Schemas["OfferedOperation"];

/** The operations in which all words of a search occur. */
export function matching(operations: Operation[], search: string): Operation[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter((each) => {
    const text = [each.name, each.method, each.path, each.summary, ...each.tags].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** All tags, sorted. */
export const tagsOf = (operations: Operation[]): string[] =>
  [...new Set(operations.flatMap((each) => each.tags))].toSorted((one, two) => one.localeCompare(two));
