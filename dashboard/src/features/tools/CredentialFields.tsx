import { Button, CloseButton, Group, PasswordInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { TypedCredentials, CredentialMethod } from "./credentials";

/** JSON pointers whose errors appear at these fields. */
export const CREDENTIAL_PATHS = [
  "bearer_token",
  "username",
  "password",
  "api_key",
  "api_key_name",
  "api_key_in",
  "headers",
].map((field) => `/credentials/${field}`);

const METHODS: { value: CredentialMethod; label: string }[] = [
  { value: "none", label: "None" },
  { value: "bearer", label: "Bearer token" },
  { value: "basic", label: "Username and password" },
  { value: "key", label: "API key" },
];

interface Props {
  typed: TypedCredentials;
  at: (path: string) => string | undefined;
  onChange: (typed: TypedCredentials) => void;
}

/** Credentials for a provider: a token, a username and password, or an API key, plus headers. */
export function CredentialFields({ typed, at, onChange }: Props) {
  const set = (changed: Partial<TypedCredentials>) => onChange({ ...typed, ...changed });
  return (
    <>
      <Select
        label="Credentials"
        description="Sent only to this provider. Stored encrypted and never shown again."
        allowDeselect={false}
        data={METHODS}
        value={typed.method}
        onChange={(method) => method && set({ method })}
      />
      {typed.method === "bearer" && (
        <PasswordInput
          label="Bearer token"
          autoComplete="off"
          required
          value={typed.token}
          error={at("/credentials/bearer_token")}
          onChange={(event) => set({ token: event.currentTarget.value })}
        />
      )}
      {typed.method === "basic" && (
        <Group align="flex-start" grow>
          <TextInput
            label="Username"
            autoComplete="off"
            required
            value={typed.username}
            error={at("/credentials/username")}
            onChange={(event) => set({ username: event.currentTarget.value })}
          />
          <PasswordInput
            label="Password"
            autoComplete="off"
            value={typed.password}
            error={at("/credentials/password")}
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
        </Group>
      )}
      {typed.method === "key" && <KeyFields typed={typed} at={at} set={set} />}
      <Headers typed={typed} at={at} set={set} />
    </>
  );
}

interface PartProps extends Omit<Props, "onChange"> {
  set: (changed: Partial<TypedCredentials>) => void;
}

function KeyFields({ typed, at, set }: PartProps) {
  return (
    <>
      <PasswordInput
        label="API key"
        autoComplete="off"
        required
        value={typed.key}
        error={at("/credentials/api_key")}
        onChange={(event) => set({ key: event.currentTarget.value })}
      />
      <Group align="flex-start" grow>
        <TextInput
          label="Key name"
          placeholder="X-API-Key"
          description="Defaults to the OpenAPI document, otherwise X-API-Key"
          value={typed.keyName}
          error={at("/credentials/api_key_name")}
          onChange={(event) => set({ keyName: event.currentTarget.value })}
        />
        <Select
          label="Sent in"
          description="Defaults to the OpenAPI document, otherwise a header"
          clearable
          data={[
            { value: "header", label: "Header" },
            { value: "query", label: "Query parameter" },
            { value: "cookie", label: "Cookie" },
          ]}
          value={typed.keyIn}
          error={at("/credentials/api_key_in")}
          onChange={(keyIn) => set({ keyIn })}
        />
      </Group>
    </>
  );
}

function Headers({ typed, at, set }: PartProps) {
  const change = (row: number, changed: { name?: string; value?: string }) =>
    set({ headers: typed.headers.map((each) => (each.row === row ? { ...each, ...changed } : each)) });
  return (
    <Stack gap="xs">
      {typed.headers.map(({ row, name, value }, index) => (
        <Group key={row} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            aria-label={`Name of header ${index + 1}`}
            placeholder="X-Tenant"
            flex={1}
            value={name}
            error={at(`/credentials/headers/${name}`)}
            onChange={(event) => change(row, { name: event.currentTarget.value })}
          />
          <PasswordInput
            aria-label={`Value of header ${index + 1}`}
            autoComplete="off"
            flex={1}
            value={value}
            onChange={(event) => change(row, { value: event.currentTarget.value })}
          />
          <CloseButton
            mt={4}
            aria-label={`Remove header ${index + 1}`}
            onClick={() => set({ headers: typed.headers.filter((each) => each.row !== row) })}
          />
        </Group>
      ))}
      {at("/credentials/headers") && (
        <Text size="sm" c="var(--mantine-color-error)">
          {at("/credentials/headers")}
        </Text>
      )}
      <Group>
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() =>
            set({
              headers: [
                ...typed.headers,
                { row: 1 + Math.max(0, ...typed.headers.map((each) => each.row)), name: "", value: "" },
              ],
            })
          }
        >
          Add header
        </Button>
      </Group>
    </Stack>
  );
}
