import { describedOperations, storedOperations, type Schemas } from "../../api";
import { toCredentials } from "./credentials";
import type { ProviderValues } from "./ProviderFields";

/** The operations of the document that the form names; those of the stored provider if it names no other one. */
export async function readOperations(
  orgId: string,
  values: ProviderValues,
  provider?: Schemas["ToolProvider"],
): Promise<Schemas["OfferedOperations"]> {
  const { document: file, url } = values;
  if (provider && file === null && (provider.uploaded || url.trim() === provider.url)) {
    return storedOperations(orgId, provider.id);
  }
  const credentials = toCredentials(values.credentials);
  return describedOperations(orgId, {
    ...(file ? { document: await file.text() } : { url: url.trim() }),
    ...(credentials ? { credentials } : {}),
  });
}

/** The choice as the API takes it. */
export const chosen = ({ operations, tags }: Pick<ProviderValues, "operations" | "tags">) => ({
  operations,
  tags,
});
