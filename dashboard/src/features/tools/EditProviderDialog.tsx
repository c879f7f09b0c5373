import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { EntryModal } from "../../components/EntryModal";
import { api, unwrap, type Schemas } from "../../api/client";
import { isConflict, unwrapTagged, useConflict, type Tagged } from "../../api/conflict";
import { ConflictDialog } from "../../components/ConflictDialog";
import { QueryBoundary } from "../../components/QueryBoundary";
import { credentialNames, NO_CREDENTIALS, toCredentials } from "./credentials";
import { chosen, readOperations } from "./offeredOperations";
import { ProviderFields, refreshTools, type ProviderSubmission, type ProviderValues } from "./ProviderFields";

const ROUTE = "/dashboard/api/organizations/{orgId}/tool-providers/{providerId}";

type Provider = Schemas["ToolProvider"];

interface Props {
  orgId: string;
  provider: Provider;
  opened: boolean;
  onClose: () => void;
}

/** Changes the settings of a provider. Stored credentials are never shown, only kept or replaced. */
export function EditProviderDialog({ orgId, provider, opened, onClose }: Props) {
  return (
    <EntryModal opened={opened} onClose={onClose} title={`Edit “${provider.name}”`} size="lg">
      <LoadedForm orgId={orgId} providerId={provider.id} onClose={onClose} />
    </EntryModal>
  );
}

interface FormProps {
  orgId: string;
  providerId: number;
  onClose: () => void;
}

function LoadedForm({ orgId, providerId, onClose }: FormProps) {
  const read = () => unwrapTagged(api.GET(ROUTE, { params: { path: { orgId, providerId } } }));
  const loaded = useQuery({
    queryKey: ["organization", orgId, "tool-providers", providerId, "edited"],
    queryFn: read,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <QueryBoundary query={loaded}>
      {(provider) => (
        <EditForm
          key={provider.etag}
          orgId={orgId}
          provider={provider}
          read={read}
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
  orgId: string;
  provider: Tagged<Provider>;
  read: () => Promise<Tagged<Provider>>;
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

function EditForm({ orgId, provider, read, onReload, onClose }: EditFormProps) {
  const form = useForm({ initialValues: valuesOf(provider) });
  const stored = credentialNames(provider.credentials_set) || "none";
  const conflict = useConflict(
    ["organization", orgId, "tool-providers", provider.id, "latest"],
    provider,
    read,
    { etag: provider.etag, changedAt: provider.updated_at ?? "" },
    (theirs) => ({ by: theirs.updated_by, at: theirs.updated_at ?? "" }),
  );
  const save = useMutation({
    mutationFn: async ({ values, allowUnreachable, etag }: ProviderSubmission & { etag?: string }) =>
      unwrap(
        api.PATCH(ROUTE, {
          params: {
            path: { orgId, providerId: provider.id },
            query: { allow_unreachable: allowUnreachable },
            header: { "If-Match": etag ?? provider.etag },
          },
          body: await changesOf(provider, values),
        }),
      ),
    onSuccess: async (changed) => {
      notifications.show({ message: `“${changed.name}” saved.` });
      onClose();
      await refreshTools(orgId);
    },
    onError: (error) => {
      if (isConflict(error)) {
        void conflict.refused();
      }
    },
  });
  const { theirs, change, open } = conflict;
  return (
    <>
      <ProviderFields
        form={form}
        mutation={{ ...save, error: isConflict(save.error) && change ? null : save.error }}
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
        change={open ? change : null}
        texts={
          open && theirs
            ? {
                mine: textOf(form.values, form.values.credentials.method === "keep" ? stored : "replaced"),
                theirs: textOf(valuesOf(theirs), credentialNames(theirs.credentials_set) || "none"),
              }
            : null
        }
        onKeepMine={() => {
          if (theirs) {
            save.mutate({ values: form.values, allowUnreachable: true, etag: theirs.etag });
          }
          conflict.close();
        }}
        onTakeTheirs={() => {
          conflict.close();
          onReload();
        }}
        onClose={conflict.close}
      />
    </>
  );
}
