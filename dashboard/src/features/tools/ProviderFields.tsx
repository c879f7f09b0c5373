import { Alert, FileInput, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type ReactNode } from "react";
import { ApiError, type Schemas } from "../../api";
import { SecondaryButton } from "../../components/variants";
import { Form } from "../../components/Form";
import { lazily } from "../../components/lazily";
import { CredentialFields } from "./CredentialFields";
import { NO_CREDENTIALS } from "./credentials";

const OperationChoice = lazily(() => import("./OperationChoice"));

/** Named like the fields of the API. */
export interface ProviderValues {
  kind: "mcp" | "openapi";
  name: string;
  description: string;
  url: string;
  document: File | null;
  server_url: string;
  /** The chosen operations and tags of an OpenAPI document; none for all. */
  operations: string[];
  tags: string[];
  credentials: typeof NO_CREDENTIALS;
}

export const NEW_PROVIDER: ProviderValues = {
  kind: "mcp",
  name: "",
  description: "",
  url: "",
  document: null,
  server_url: "",
  operations: [],
  tags: [],
  credentials: NO_CREDENTIALS,
};

/** The request that a submitted form makes. */
export interface ProviderSubmission {
  values: ProviderValues;
  /** Stores the provider even if its tools cannot be discovered. */
  allowUnreachable: boolean;
}

/** Whether the provider was not stored because its tools could not be discovered. */
const isUnreachable = (error: unknown) =>
  error instanceof ApiError && error.violations.some((each) => each.error === "Discovery Failed");

interface Props {
  form: UseFormReturnType<ProviderValues>;
  mutation: {
    isPending: boolean;
    error: unknown;
    mutate: (submission: ProviderSubmission, options: { onError: (error: unknown) => void }) => void;
  };
  action: string;
  /** The provider that is edited. */
  provider?: Schemas["ToolProvider"];
  /** Reads the operations of the OpenAPI document that the form describes. */
  readOperations: () => Promise<Schemas["OfferedOperations"]>;
  /** The fields above the address. */
  children: ReactNode;
}

/** The settings of a provider, with a way to save one that does not respond. */
export function ProviderFields({ form, mutation, action, provider, readOperations, children }: Props) {
  const { kind, document: file } = form.values;
  const send = (allowUnreachable: boolean) => ({
    ...mutation,
    mutate: (values: ProviderValues, options: { onError: (error: unknown) => void }) =>
      mutation.mutate({ values, allowUnreachable }, options),
  });
  const unreachable = isUnreachable(mutation.error);
  return (
    <Form
      form={form}
      mutation={send(false)}
      action={action}
      secondaryAction={
        unreachable && (
          <SecondaryButton
            disabled={mutation.isPending}
            onClick={() => send(true).mutate(form.values, { onError: () => {} })}
          >
            Save anyway
          </SecondaryButton>
        )
      }
    >
      {unreachable && (
        <Alert color="yellow" role="alert" title="The tools can’t be read">
          Fix the address or the credentials, or save anyway: Parley then tries again every hour.
        </Alert>
      )}
      {children}
      <TextInput label="Description" maxLength={2000} {...form.getInputProps("description")} />
      {provider?.command ? (
        <Text size="sm">
          Runs the operator’s command <code>{provider.command}</code>.
        </Text>
      ) : (
        <TextInput
          label={kind === "mcp" ? "Server URL" : "OpenAPI document URL"}
          type="url"
          required={file === null && !provider?.uploaded}
          disabled={file !== null}
          {...form.getInputProps("url")}
        />
      )}
      {kind === "openapi" && (
        <>
          <FileInput
            label={
              provider?.uploaded ? "Replace the uploaded OpenAPI document" : "Or upload an OpenAPI document"
            }
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
      {kind === "openapi" && (
        <OperationChoice
          key={file ? `${file.name} ${file.lastModified}` : form.values.url}
          operations={form.values.operations}
          tags={form.values.tags}
          onChange={(chosen) => form.setValues(chosen)}
          read={readOperations}
          disabled={file === null && form.values.url.trim() === "" && !provider?.uploaded}
        />
      )}
      <CredentialFields form={form as never} stored={provider?.credentials_set} />
    </Form>
  );
}
