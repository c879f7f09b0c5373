import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { EntryModal } from "../../components/EntryModal";
import {
  changeProvider,
  isConflict,
  organizationKey,
  readProvider,
  refreshTools,
  useChange,
  useConflict,
  useEditedProvider,
  useOrganizationId,
  type Schemas,
  type Tagged,
} from "../../api";
import { ConflictDialog } from "../../components/ConflictDialog";
import { QueryBoundary } from "../../components/QueryBoundary";
import { credentialNames, NO_CREDENTIALS, toCredentials } from "./credentials";
import { chosen, readOperations } from "./offeredOperations";
import { ProviderFields, type ProviderSubmission, type ProviderValues } from "./ProviderFields";

type Provider = Schemas["ToolProvider"];

interface Props {
  provider: Provider;
  opened: boolean;
  onClose: () => void;
}

/** Changes the settings of a provider. Stored credentials are never shown, only kept or replaced. */
export function EditProviderDialog({ provider, opened, onClose }: Props) {
  return (
    <EntryModal opened={opened} onClose={onClose} title={`Edit “${provider.name}”`} size="lg">
      <LoadedForm providerId={provider.id} onClose={onClose} />
    </EntryModal>
  );
}

function LoadedForm({ providerId, onClose }: { providerId: number; onClose: () => void }) {
  const loaded = useEditedProvider(providerId);
  return (
    <QueryBoundary query={loaded}>
      {(provider) => (
        <EditForm
          key={provider.etag}
          provider={provider}
          onReload={() => void loaded.refetch()}
          onClose={onClose}
        />
      )}
    </QueryBoundary>
  );
}

const valuesOf = (provider: Provider): ProviderValues => ({
  kind: provider.kind === "openapi" ? "openapi" : "mcp",
  name: provider.name,
  description: provider.description,
  url: provider.url ?? "",
  document: null,
  server_url: provider.server_url ?? "",
  operations: provider.operations ?? [],
  tags: provider.tags ?? [],
  credentials: { ...NO_CREDENTIALS, method: provider.credentials_set.length > 0 ? "keep" : "none" },
});

/** The settings as text, to compare two versions. */
const textOf = (values: ProviderValues, credentials: string) =>
  [
    `Description: ${values.description}`,
    `Address: ${values.document ? values.document.name : values.url}`,
    `API base URL: ${values.server_url}`,
    `Operations: ${[...values.operations, ...values.tags].join(", ") || "all"}`,
    `Credentials: ${credentials}`,
  ].join("\n");

interface EditFormProps {
  provider: Tagged<Provider>;
  onReload: () => void;
  onClose: () => void;
}

const isSame = (one: string[], two: string[]) => one.join("\n") === two.join("\n");

/** The fields that differ from the stored settings. */
async function changesOf(provider: Provider, values: ProviderValues) {
  const { description, url, document: file, server_url } = values;
  const isChoiceKept =
    isSame(values.operations, provider.operations ?? []) && isSame(values.tags, provider.tags ?? []);
  const hasUrl = provider.command === null && url.trim() !== "" && url.trim() !== provider.url;
  return {
    description: description.trim(),
    ...(file ? { document: await file.text() } : hasUrl ? { url: url.trim() } : {}),
    ...(server_url.trim() !== (provider.server_url ?? "") ? { server_url: server_url.trim() } : {}),
    ...(isChoiceKept ? {} : chosen(values)),
    ...(values.credentials.method === "keep" ||
    (values.credentials.method === "none" &&
      provider.credentials_set.length === 0 &&
      !toCredentials(values.credentials))
      ? {}
      : { credentials: toCredentials(values.credentials) ?? {} }),
  };
}

function EditForm({ provider, onReload, onClose }: EditFormProps) {
  const orgId = useOrganizationId();
  const form = useForm({ initialValues: valuesOf(provider) });
  const stored = credentialNames(provider.credentials_set) || "none";
  const conflict = useConflict(
    organizationKey(orgId, "tool-providers", provider.id, "latest"),
    provider,
    () => readProvider(orgId, provider.id),
  );
  const save = useChange({
    send: async ({ values, allowUnreachable, etag }: ProviderSubmission & { etag?: string }) =>
      changeProvider(orgId, provider.id, await changesOf(provider, values), {
        query: { allow_unreachable: allowUnreachable },
        etag: etag ?? provider.etag,
      }),
    done: ({ name }) => `“${name}” saved.`,
    onSuccess: async () => {
      onClose();
      await refreshTools(orgId);
    },
    onError: conflict.onError,
  });
  return (
    <>
      <ProviderFields
        form={form}
        mutation={{ ...save, error: isConflict(save.error) && conflict.change ? null : save.error }}
        action="Save"
        provider={provider}
        readOperations={() => readOperations(orgId, form.values, provider)}
      >
        <TextInput
          label="Name"
          description="Agents refer to the provider by this name, so it can’t be changed."
          readOnly
          value={provider.name}
        />
      </ProviderFields>
      <ConflictDialog
        conflict={conflict}
        texts={(theirs) => ({
          mine: textOf(form.values, form.values.credentials.method === "keep" ? stored : "replaced"),
          theirs: textOf(valuesOf(theirs), credentialNames(theirs.credentials_set) || "none"),
        })}
        onKeepMine={({ etag }) => {
          save.mutate({ values: form.values, allowUnreachable: true, etag });
          conflict.close();
        }}
        onTakeTheirs={() => {
          conflict.close();
          onReload();
        }}
      />
    </>
  );
}
