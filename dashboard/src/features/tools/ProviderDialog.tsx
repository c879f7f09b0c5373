import { FileInput, Modal, Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";
import { CREDENTIAL_PATHS, CredentialFields } from "./CredentialFields";
import { toCredentials, NO_CREDENTIALS } from "./credentials";

interface Props {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

const FIELD_PATHS = ["/name", "/kind", "/url", "/document", "/server_url", ...CREDENTIAL_PATHS];

export function ProviderDialog(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Add provider" size="lg">
      <Fields {...props} />
    </Modal>
  );
}

function Fields({ orgId, onClose }: Props) {
  const [kind, setKind] = useState<"mcp" | "openapi">("mcp");
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [serverUrl, setServerUrl] = useState("");
  const [typed, setTyped] = useState(NO_CREDENTIALS);
  const credentials = toCredentials(typed);
  const [file, setFile] = useState<File | null>(null);
  const create = useMutation({
    mutationFn: async () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tool-providers", {
          params: { path: { orgId } },
          body: {
            name: name.trim(),
            kind,
            ...(file ? { document: await file.text() } : { url: url.trim() }),
            ...(serverUrl.trim() ? { server_url: serverUrl.trim() } : {}),
            ...(credentials ? { credentials } : {}),
          },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tool-providers"] });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "tools"] });
      onClose();
    },
  });
  const { at } = fieldErrors(create.error);
  return (
    <Form mutation={create} onSubmit={() => create.mutate()} action="Add provider" fieldPaths={FIELD_PATHS}>
      <Select
        label="Type"
        data-autofocus
        allowDeselect={false}
        data={[
          { value: "mcp", label: "MCP server" },
          { value: "openapi", label: "OpenAPI service" },
        ]}
        value={kind}
        error={at("/kind")}
        onChange={(value) => setKind(value === "openapi" ? "openapi" : "mcp")}
      />
      <TextInput
        label="Name"
        description="Agents refer to the provider by this name. It can’t be changed later."
        required
        value={name}
        error={at("/name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={kind === "mcp" ? "Server URL" : "OpenAPI document URL"}
        type="url"
        required={file === null}
        disabled={file !== null}
        value={url}
        error={at("/url")}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      {kind === "openapi" && (
        <>
          <FileInput
            label="Or upload an OpenAPI document"
            placeholder="JSON or YAML"
            clearable
            value={file}
            error={at("/document")}
            onChange={setFile}
          />
          <TextInput
            label="API base URL"
            description="Optional. Overrides the servers listed in the document."
            type="url"
            value={serverUrl}
            error={at("/server_url")}
            onChange={(event) => setServerUrl(event.currentTarget.value)}
          />
        </>
      )}
      <CredentialFields typed={typed} at={at} onChange={setTyped} />
    </Form>
  );
}
