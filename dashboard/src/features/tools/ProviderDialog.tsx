import { Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { createProvider, refreshTools, useOrganizationId } from "../../api";
import { EntryModal } from "../../components/EntryModal";
import { optionsOf } from "../../components/optionsOf";
import { toCredentials } from "./credentials";
import { chosen, readOperations } from "./offeredOperations";
import { NEW_PROVIDER, ProviderFields, type ProviderSubmission } from "./ProviderFields";

interface Props {
  opened: boolean;
  onClose: () => void;
}

export function ProviderDialog(props: Props) {
  return (
    <EntryModal opened={props.opened} onClose={props.onClose} title="Add provider" size="lg">
      <NewProviderForm {...props} />
    </EntryModal>
  );
}

function NewProviderForm({ onClose }: Props) {
  const orgId = useOrganizationId();
  const form = useForm({ initialValues: NEW_PROVIDER });
  const create = useMutation({
    mutationFn: async ({ values, allowUnreachable }: ProviderSubmission) => {
      const { name, kind, description, url, document: file, server_url } = values;
      const credentials = toCredentials(values.credentials);
      const body = {
        name: name.trim(),
        kind,
        description: description.trim(),
        ...(file ? { document: await file.text() } : { url: url.trim() }),
        ...(server_url.trim() ? { server_url: server_url.trim() } : {}),
        ...(credentials ? { credentials } : {}),
        ...(kind === "openapi" ? chosen(values) : {}),
      };
      return createProvider(orgId, body, allowUnreachable);
    },
    onSuccess: async () => {
      await refreshTools(orgId);
      onClose();
    },
  });
  return (
    <ProviderFields
      form={form}
      mutation={create}
      action="Add provider"
      readOperations={() => readOperations(orgId, form.values)}
    >
      <Select
        label="Type"
        data-autofocus
        allowDeselect={false}
        data={optionsOf({ mcp: "MCP server", openapi: "OpenAPI service" })}
        {...form.getInputProps("kind")}
      />
      <TextInput
        label="Name"
        description="Agents refer to the provider by this name. It can’t be changed later."
        required
        {...form.getInputProps("name")}
      />
    </ProviderFields>
  );
}
