import { useDataLakes } from "../../api/queries";

/** The error for a name that another data set has. The API allows duplicates, but people cannot tell them apart. */
export function useNameError(orgId: string, name: string, ownId?: string): string | undefined {
  const { data: all = [] } = useDataLakes(orgId);
  return all.some((each) => each.id !== ownId && each.name === name.trim())
    ? "This name is already in use."
    : undefined;
}
