interface Named {
  id: string | number;
  name: string;
}

/** The error for a name that is already in use. The API allows duplicates, but people could not tell them apart. */
export function nameError(all: Named[] | undefined, name: string, ownId?: Named["id"]): string | undefined {
  return all?.some((each) => each.id !== ownId && each.name === name.trim())
    ? "This name is already in use."
    : undefined;
}
