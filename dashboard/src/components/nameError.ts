interface Named {
  id: string | number;
  name: string;
}

/** Refuses duplicate names, which the API allows, because people cannot tell them apart. */
export function nameError(all: Named[] | undefined, name: string, ownId?: Named["id"]): string | undefined {
  return all?.some((each) => each.id !== ownId && each.name === name.trim())
    ? "This name is already in use."
    : undefined;
}
