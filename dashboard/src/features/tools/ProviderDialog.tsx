import { FileInput, Modal, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";
import { CredentialFields } from "./CredentialFields";
import { toCredentials, NO_CREDENTIALS } from "./credentials";

interface Props {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

export function ProviderDialog(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Add provider" size="lg">
      <Fields {...props} />
    </Modal>
  );
}

function Fields({ orgId, onClose }: Props) {
  const form = useForm({
    initialValues: {
      kind: "mcp" as "mcp" | "openapi",
      name: "",
      url: "",
      document: null as File | null,
      server_url: "",
      credentials: NO_CREDENTIALS,
    },
  });
  const { kind, document: file } = form.values;
  const create = useMutation({
    mutationFn: async ({ name, url, server_url, credentials: typed }: typeof form.values) => {
      const credentials = toCredentials(typed);
      return unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tool-providers", {
          params: { path: { orgId } },
          body: {
            name: name.trim(),
            kind,
            ...(file ? { document: await file.text() } : { url: url.trim() }),
            ...(server_url.trim() ? { server_url: server_url.trim() } : {}),
            ...(credentials ? { credentials } : {}),
          },
        }),
      );
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tool-providers"] });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tools"] });
      onClose();
    },
  });
  return (
    <Form form={form} mutation={create} action="Add provider">
      <Select
        label="Type"
        data-autofocus
        allowDeselect={false}
        data={[
          { value: "mcp", label: "MCP server" },
          { value: "openapi", label: "OpenAPI service" },
        ]}
        {...form.getInputProps("kind")}
      />
      <TextInput
        label="Name"
        description="Agents refer to the provider by this name. It can’t be changed later."
        required
        {...form.getInputProps("name")}
      />
      <TextInput
        label={kind === "mcp" ? "Server URL" : "OpenAPI document URL"}
        type="url"
        required={file === null}
        disabled={file !== null}
        {...form.getInputProps("url")}
      />
      {kind === "openapi" && (
        <>
          <FileInput
            label="Or upload an OpenAPI document"
            placeholder="JSON or YAML"
            clearable
            {...form.getInputProps("document")}
          />
          <TextInput
            label="API base URL"
            description="Optional. Overrides the servers listed in the document."
            type="url"
            {...form.getInputProps("server_url")}
          />
        </>
      )}
      <CredentialFields form={form} />
    </Form>
  );
}
