import { Button, CloseButton, Group, PasswordInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { TypedCredentials, Way } from "./credentials";

/** JSON pointers of the faults that these fields show. */
export const CREDENTIAL_PATHS = [
  "bearer_token",
  "username",
  "password",
  "api_key",
  "api_key_name",
  "api_key_in",
  "headers",
].map((field) => `/credentials/${field}`);

const WAYS: { value: Way; label: string }[] = [
  { value: "none", label: "None" },
  { value: "bearer", label: "Bearer token" },
  { value: "basic", label: "User name and password" },
  { value: "key", label: "API key" },
];

interface Props {
  typed: TypedCredentials;
  at: (path: string) => string | undefined;
  onChange: (typed: TypedCredentials) => void;
}

/** Who calls the provider: a token, a name with password, or a key, and further headers. */
export function CredentialFields({ typed, at, onChange }: Props) {
  const set = (changed: Partial<TypedCredentials>) => onChange({ ...typed, ...changed });
  return (
    <>
      <Select
        label="Credentials"
        description="Sent with every call to this provider and to nobody else, kept encrypted, never shown again"
        allowDeselect={false}
        data={WAYS}
        value={typed.way}
        onChange={(way) => way && set({ way })}
      />
      {typed.way === "bearer" && (
        <PasswordInput
          label="Bearer token"
          autoComplete="off"
          required
          value={typed.token}
          error={at("/credentials/bearer_token")}
          onChange={(event) => set({ token: event.currentTarget.value })}
        />
      )}
      {typed.way === "basic" && (
        <Group align="flex-start" grow>
          <TextInput
            label="User name"
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
      {typed.way === "key" && <KeyFields typed={typed} at={at} set={set} />}
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
          label="Name of the key"
          placeholder="X-API-Key"
          description="When empty as the description says, else X-API-Key"
          value={typed.keyName}
          error={at("/credentials/api_key_name")}
          onChange={(event) => set({ keyName: event.currentTarget.value })}
        />
        <Select
          label="Where it goes"
          description="When empty as the description says, else a header"
          clearable
          data={[
            { value: "header", label: "Header" },
            { value: "query", label: "Query" },
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
          Add a header
        </Button>
      </Group>
    </Stack>
  );
}
