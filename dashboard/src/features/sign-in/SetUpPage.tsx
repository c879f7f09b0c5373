import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { api, ask } from "../../api/client";
import { ApiError, faultsOf } from "../../api/problem";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Loaded } from "../../parts/Loaded";
import { passwordHint } from "../../parts/passwordHint";
import { enter } from "../../queryClient";
import { Entrance } from "./Entrance";

const FIELDS = {
  name: { label: "Your name", autoComplete: "name" },
  email: { label: "E-mail", type: "email", autoComplete: "username" },
  password: { label: "Password", autoComplete: "new-password", description: passwordHint },
  organization: {
    label: "Organization",
    autoComplete: "organization",
    description: "You can add more later",
  },
} as const;

type Field = keyof typeof FIELDS;

/** Where the link on a new service's terminal leads: its reader becomes the first user. */
export default function SetUpPage() {
  const setUp = useQuery({ queryKey: ["setup"], queryFn: () => ask(api.GET("/dashboard/api/setup")) });
  return (
    <Entrance title="Set up Parley">
      <Loaded query={setUp}>
        {({ needed }) =>
          needed ? (
            <FirstUser />
          ) : (
            <Text size="sm">
              This installation is set up already.{" "}
              <Anchor component={Link} to="/sign-in" inherit>
                Sign in
              </Anchor>
              , or ask an admin for an invitation.
            </Text>
          )
        }
      </Loaded>
    </Entrance>
  );
}

function FirstUser() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [token, setToken] = useState(search.get("token") ?? "");
  const [values, setValues] = useState({ name: "", email: "", password: "", organization: "" });
  const finish = useMutation({
    mutationFn: () => ask(api.POST("/dashboard/api/setup", { body: { token: token.trim(), ...values } })),
    onSuccess: (person) => {
      enter(person);
      void navigate("/", { replace: true });
    },
  });
  const wrongToken = finish.error instanceof ApiError && finish.error.status === 403;
  const { at } = faultsOf(finish.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    finish.mutate();
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
        <Text size="sm" c="dimmed">
          You become the operator of this installation and the owner of its first organization.
        </Text>
        {!wrongToken && (
          <ErrorNotice
            error={finish.error}
            shown={["/token", "/name", "/email", "/password", "/organization"]}
          />
        )}
        {(!search.get("token") || wrongToken || at("/token")) && (
          <>
            {!search.get("token") && (
              <Alert>The service wrote a link with a token on its terminal when it started.</Alert>
            )}
            <TextInput
              label="Token"
              required
              withAsterisk={false}
              autoComplete="off"
              value={token}
              error={wrongToken ? "This is not the token on the service's terminal" : at("/token")}
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
