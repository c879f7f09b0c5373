import { Alert, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { ApiError, fieldErrors, queryClient, setSignedInUser, useSetUp, useSetup } from "../../api";
import { Dimmed } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { InlineLink } from "../../components/PageLink";
import { QueryBoundary } from "../../components/QueryBoundary";
import { passwordHint } from "../../components/passwordHint";
import { SignInCard } from "./SignInCard";

const FIELDS = {
  name: { label: "Your name", autoComplete: "name" },
  email: { label: "Email", type: "email", autoComplete: "username" },
  password: { label: "Password", autoComplete: "new-password", description: passwordHint },
  organization: {
    label: "Organization",
    autoComplete: "organization",
    description: "You can add more later",
  },
} as const;

type Field = keyof typeof FIELDS;

/** Opened by the setup link in the server log: creates the first user and organization. */
export default function SetUpPage() {
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const setUp = useSetup(token);
  return (
    <SignInCard title="Set up Parley">
      <QueryBoundary query={setUp}>
        {({ needed, token_valid }) =>
          needed ? (
            <FirstUser token={token} isTokenWrong={token !== "" && !token_valid} />
          ) : (
            <Text size="sm">
              Parley has already been set up. <InlineLink to="/sign-in">Sign in</InlineLink>, or ask an admin
              for an invitation.
            </Text>
          )
        }
      </QueryBoundary>
    </SignInCard>
  );
}

interface FirstUserProps {
  /** The token of the link; empty for none. */
  token: string;
  isTokenWrong: boolean;
}

function FirstUser({ token: linkToken, isTokenWrong }: FirstUserProps) {
  const navigate = useNavigate();
  const [token, setToken] = useState(linkToken);
  const [values, setValues] = useState({ name: "", email: "", password: "", organization: "" });
  const finish = useSetUp((user) => {
    setSignedInUser(user);
    queryClient.setQueriesData({ queryKey: ["setup"] }, { needed: false, token_valid: false });
    void navigate("/", { replace: true });
  });
  const wrongToken =
    (finish.error instanceof ApiError && finish.error.status === 403) ||
    (isTokenWrong && token === linkToken && !finish.isSuccess);
  const { at } = fieldErrors(finish.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    finish.mutate({ token: token.trim(), ...values });
  };
  const input = (field: Field) => ({
    ...FIELDS[field],
    name: field,
    required: true,
    withAsterisk: false,
    value: values[field],
    error: at(`/${field}`),
    onChange: ({ currentTarget: { value } }: React.ChangeEvent<HTMLInputElement>) =>
      setValues((now) => ({ ...now, [field]: value })),
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Dimmed>This creates the operator account and your first organization.</Dimmed>
        {!wrongToken && (
          <ErrorNotice
            error={finish.error}
            fieldPaths={["/token", "/name", "/email", "/password", "/organization"]}
          />
        )}
        {(!linkToken || isTokenWrong || wrongToken || at("/token")) && (
          <>
            {!linkToken && (
              <Alert>Paste the setup token printed in the server log when Parley started.</Alert>
            )}
            <TextInput
              label="Setup token"
              required
              withAsterisk={false}
              autoComplete="off"
              value={token}
              error={
                wrongToken ? "That token doesn’t match. Check the server log and try again." : at("/token")
              }
              onChange={(event) => setToken(event.currentTarget.value)}
            />
          </>
        )}
        <TextInput {...input("name")} autoFocus />
        <TextInput {...input("email")} />
        <PasswordInput {...input("password")} />
        <TextInput {...input("organization")} />
        <Button type="submit" loading={finish.isPending}>
          Set up
        </Button>
      </Stack>
    </form>
  );
}
