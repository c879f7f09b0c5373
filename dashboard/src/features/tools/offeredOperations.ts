import { api, unwrap, type Schemas } from "../../api/client";
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
    return unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/tool-providers/{providerId}/operations", {
        params: { path: { orgId, providerId: provider.id } },
      }),
    );
  }
  const credentials = toCredentials(values.credentials);
  return unwrap(
    api.POST("/dashboard/api/organizations/{orgId}/tool-providers/operations", {
      params: { path: { orgId } },
      body: {
        ...(file ? { document: await file.text() } : { url: url.trim() }),
        ...(credentials ? { credentials } : {}),
      },
    }),
  );
}

/** The choice as the API takes it. */
export const chosen = ({ operations, tags }: Pick<ProviderValues, "operations" | "tags">) => ({
  operations,
  tags,
});
