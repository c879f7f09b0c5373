import { PasswordInput, Select, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import {
  useChangeModelProvider,
  useCreateModelProvider,
  useEditedModelProvider,
  type Schemas,
  type Tagged,
} from "../../api";
import { EntryModal } from "../../components/EntryModal";
import { Form } from "../../components/Form";
import { JsonField } from "../../components/JsonField";
import { QueryBoundary } from "../../components/QueryBoundary";
import { KIND_LABELS } from "./modelTexts";

type Provider = Schemas["ModelProvider"];

interface Props {
  opened: boolean;
  /** Undefined to add one. */
  providerId?: number;
  onClose: () => void;
}

export function ProviderDialog({ opened, providerId, onClose }: Props) {
  const title = providerId === undefined ? "Add provider" : "Edit provider";
  return (
    <EntryModal opened={opened} onClose={onClose} title={title}>
      {providerId === undefined ? (
        <NewProvider onClose={onClose} />
      ) : (
        <LoadedProvider providerId={providerId} onClose={onClose} />
      )}
    </EntryModal>
  );
}

function LoadedProvider({ providerId, onClose }: { providerId: number; onClose: () => void }) {
  const loaded = useEditedModelProvider(providerId);
  return (
    <QueryBoundary query={loaded}>
      {(provider) => <ChangedProvider provider={provider} onClose={onClose} />}
    </QueryBoundary>
  );
}

interface Values {
  name: string;
  kind: "openai" | "anthropic";
  base_url: string;
  credential: string;
  headers: string;
  api_version: string;
}

/** Empty secrets are left as they are. */
const bodyOf = ({ credential, headers, ...values }: Values) => ({
  ...values,
  name: values.name.trim(),
  base_url: values.base_url.trim(),
  api_version: values.api_version.trim(),
  ...(credential !== "" && { credential }),
  ...(headers.trim() !== "" && { headers: JSON.parse(headers) as Record<string, string> }),
});

const isObject = (text: string) => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

const validate = {
  headers: (text: string) =>
    text.trim() === "" || isObject(text) ? null : 'Enter a JSON object such as {"X-Tenant": "a"}.',
};

function NewProvider({ onClose }: { onClose: () => void }) {
  const form = useForm<Values>({
    initialValues: { name: "", kind: "openai", base_url: "", credential: "", headers: "", api_version: "" },
    validate,
  });
  const create = useCreateModelProvider({ done: ({ name }) => `“${name}” added.`, onSuccess: onClose });
  return (
    <Form
      form={form}
      mutation={{ ...create, mutate: (values, options) => create.mutate(bodyOf(values), options) }}
      action="Add provider"
    >
      <ProviderFields form={form} />
    </Form>
  );
}

function ChangedProvider({ provider, onClose }: { provider: Tagged<Provider>; onClose: () => void }) {
  const form = useForm<Values>({
    initialValues: {
      name: provider.name,
      kind: provider.kind,
      base_url: provider.base_url,
      credential: "",
      headers: "",
      api_version: provider.api_version ?? "",
    },
    validate,
  });
  const change = useChangeModelProvider(provider.id, {
    done: ({ name }) => `“${name}” saved.`,
    onSuccess: onClose,
  });
  return (
    <Form
      form={form}
      mutation={{
        ...change,
        mutate: (values, options) => change.mutate({ ...bodyOf(values), etag: provider.etag }, options),
      }}
      action="Save"
    >
      <ProviderFields form={form} provider={provider} />
    </Form>
  );
}

interface FieldsProps {
  form: Pick<UseFormReturnType<Values>, "values" | "getInputProps">;
  provider?: Provider;
}

function ProviderFields({ form, provider }: FieldsProps) {
  const isAnthropic = form.values.kind === "anthropic";
  return (
    <>
      <TextInput label="Name" required {...form.getInputProps("name")} />
      <Select
        label="API"
        description="Most services have OpenAI’s API: Azure, vLLM, Ollama, OpenRouter, Mistral and others."
        allowDeselect={false}
        disabled={provider !== undefined}
        data={Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps("kind")}
      />
      <TextInput
        label="Base URL"
        required
        placeholder={isAnthropic ? "https://api.anthropic.com" : "https://api.openai.com/v1"}
        {...form.getInputProps("base_url")}
      />
      <PasswordInput
        label="API key"
        autoComplete="off"
        description={
          provider?.has_credential
            ? "Leave empty to keep the stored key. It’s sent to this host only."
            : "Stored encrypted and never shown again."
        }
        {...form.getInputProps("credential")}
      />
      <TextInput
        label="API version"
        description={isAnthropic ? "Default: 2023-06-01" : "For Azure only, such as 2024-10-21"}
        {...form.getInputProps("api_version")}
      />
      <JsonField
        name="headers"
        label="Additional headers (JSON)"
        description={
          provider && provider.header_names.length > 0
            ? `Stored: ${provider.header_names.join(", ")}. Leave empty to keep them.`
            : "Optional, such as a tenant’s ID. Stored encrypted."
        }
        {...form.getInputProps("headers")}
        value={form.values.headers}
      />
    </>
  );
}
