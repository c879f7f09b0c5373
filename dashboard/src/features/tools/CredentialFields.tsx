import { Button, CloseButton, Group, PasswordInput, Select, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { UseFormReturnType } from "@mantine/form";
import { optionsOf } from "../../components/optionsOf";
import { ErrorText } from "../../components/variants";
import { credentialNames, type TypedCredentials, type CredentialMethod } from "./credentials";

const METHODS = optionsOf<Exclude<CredentialMethod, "keep">>({
  none: "None",
  bearer: "Bearer token",
  basic: "Username and password",
  key: "API key",
});

interface Props {
  form: UseFormReturnType<{ credentials: TypedCredentials }>;
}

/**
 * Credentials for a provider: a token, a username and password, or an API key, plus headers. The names of stored
 * credentials, if there are any, add the choice to keep them.
 */
export function CredentialFields({ form, stored = [] }: Props & { stored?: string[] }) {
  const { method } = form.values.credentials;
  const keep = { value: "keep", label: `Keep the current ones (${credentialNames(stored)})` };
  return (
    <>
      <Select
        label="Credentials"
        description={
          method !== "keep" && stored.length > 0
            ? "Replaces all current credentials and headers."
            : "Sent only to this provider. Stored encrypted and never shown again."
        }
        allowDeselect={false}
        data={stored.length > 0 ? [keep, ...METHODS] : METHODS}
        {...form.getInputProps("credentials.method")}
        error={form.errors["credentials.method"] ?? form.errors.credentials}
      />
      {method === "bearer" && (
        <PasswordInput
          label="Bearer token"
          autoComplete="off"
          required
          {...form.getInputProps("credentials.bearer_token")}
        />
      )}
      {method === "basic" && (
        <Group align="flex-start" grow>
          <TextInput
            label="Username"
            autoComplete="off"
            required
            {...form.getInputProps("credentials.username")}
          />
          <PasswordInput
            label="Password"
            autoComplete="off"
            {...form.getInputProps("credentials.password")}
          />
        </Group>
      )}
      {method === "key" && <KeyFields form={form} />}
      {method !== "keep" && <Headers form={form} />}
    </>
  );
}

function KeyFields({ form }: Props) {
  return (
    <>
      <PasswordInput
        label="API key"
        autoComplete="off"
        required
        {...form.getInputProps("credentials.api_key")}
      />
      <Group align="flex-start" grow>
        <TextInput
          label="Key name"
          placeholder="X-API-Key"
          description="Defaults to the OpenAPI document, otherwise X-API-Key"
          {...form.getInputProps("credentials.api_key_name")}
        />
        <Select
          label="Sent in"
          description="Defaults to the OpenAPI document, otherwise a header"
          clearable
          data={optionsOf({ header: "Header", query: "Query parameter", cookie: "Cookie" })}
          {...form.getInputProps("credentials.api_key_in")}
        />
      </Group>
    </>
  );
}

function Headers({ form }: Props) {
  const { headers } = form.values.credentials;
  return (
    <Stack gap="xs">
      {headers.map(({ row, name }, index) => (
        <Group key={row} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            aria-label={`Name of header ${index + 1}`}
            placeholder="X-Tenant"
            flex={1}
            {...form.getInputProps(`credentials.headers.${index}.name`)}
            error={form.errors[`credentials.headers.${name}`]}
          />
          <PasswordInput
            aria-label={`Value of header ${index + 1}`}
            autoComplete="off"
            flex={1}
            {...form.getInputProps(`credentials.headers.${index}.value`)}
          />
          <CloseButton
            mt={4}
            aria-label={`Remove header ${index + 1}`}
            onClick={() => form.removeListItem("credentials.headers", index)}
          />
        </Group>
      ))}
      {form.errors["credentials.headers"] && <ErrorText>{form.errors["credentials.headers"]}</ErrorText>}
      <Group>
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() =>
            form.insertListItem("credentials.headers", {
              row: 1 + Math.max(0, ...headers.map((each) => each.row)),
              name: "",
              value: "",
            })
          }
        >
          Add header
        </Button>
      </Group>
    </Stack>
  );
}
