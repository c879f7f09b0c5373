/** The differences between two JSON values, by JSON pointer. */
export interface Changes {
  /** Values that differ, also those of fields that only one side has. */
  changed: string[];
  /** Elements at the end of lists that became longer. */
  added: string[];
  /** Lists that became shorter. */
  shortened: string[];
}

type Json = Record<string, unknown>;

const isContainer = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Forms add empty lists and texts where the document has none, which is no edit. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

export function compare(before: unknown, after: unknown): Changes {
  const changes: Changes = { changed: [], added: [], shortened: [] };
  collect(before, after, "", changes);
  return changes;
}

function collect(before: unknown, after: unknown, path: string, changes: Changes) {
  if (Object.is(before, after) || (isEmpty(before) && isEmpty(after))) {
    return;
  }
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    changes.changed.push(path);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (after.length < before.length) {
      changes.shortened.push(path);
      return;
    }
    after.forEach((value, index) => {
      if (index < before.length) {
        collect(before[index], value, `${path}/${index}`, changes);
      } else {
        changes.added.push(`${path}/${index}`);
      }
    });
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    collect(before[key], after[key], `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, changes);
  }
}

/** Identifies the edited fields, so that typing in one of them is a single step; null for other edits. */
export function burstKeyOf({ changed, added, shortened }: Changes): string | null {
  return added.length > 0 || shortened.length > 0 || changed.length === 0 ? null : changed.join(" ");
}

/** The task, input or output that was added last and is still being filled in. */
export interface Unfinished {
  path: string;
  touched: readonly string[];
}

/** Follows an edit: adding starts an item, edits within it continue it, and any other edit ends it. */
export function unfinishedAfter(before: Unfinished | null, changes: Changes): Unfinished | null {
  const [first] = changes.added;
  if (first !== undefined) {
    return { path: first, touched: [] };
  }
  const continues =
    before !== null &&
    changes.shortened.length === 0 &&
    changes.changed.some((path) => path.startsWith(`${before.path}/`));
  return continues ? { ...before, touched: [...new Set([...before.touched, ...changes.changed])] } : null;
}

/** Whether an issue is about a field that the user has not reached yet. */
export function isUntouched(unfinished: Unfinished | null, path: string): boolean {
  return (
    unfinished !== null &&
    (path === unfinished.path || path.startsWith(`${unfinished.path}/`)) &&
    !unfinished.touched.some((touched) => touched === path || touched.startsWith(`${path}/`))
  );
}
