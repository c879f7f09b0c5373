import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import { api, ask } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { useMe } from "../../api/queries";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { enter } from "../../queryClient";
import { Entrance } from "./Entrance";
import { OidcButton, OidcProblem } from "./OidcSignIn";

/** Only an address of this site: a link must not lead people elsewhere after they signed in. */
function ownAddress(next: string | null): string {
  return next?.startsWith("/") && !next.startsWith("//") && !next.includes("\\") ? next : "/";
}

/** The organization of an address, if it is in one: an address may have an account in each of several. */
function organizationOf(path: string): string | null {
  return /^\/organizations\/([0-9a-f]{32})(?:\/|$)/.exec(path)?.[1] ?? null;
}

export default function SignInPage() {
  const [search] = useSearchParams();
  const next = ownAddress(search.get("next"));
  const { data: me } = useMe();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/dashboard/api/login", {
          body: { email, password, organization_id: organizationOf(next) },
        }),
      ),
    onSuccess: enter,
  });
  const { data: setUp } = useQuery({
    queryKey: ["setup"],
    queryFn: () => ask(api.GET("/dashboard/api/setup")),
    staleTime: 60_000,
  });
  const { at } = faultsOf(signIn.error);

  if (me) {
    return <Navigate to={next} replace />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <Entrance title="Sign in">
      <form onSubmit={submit}>
        <Stack>
          {setUp?.needed && (
            <Alert title="There is no user yet">
              <Anchor component={Link} to="/setup" inherit>
                Set this installation up
              </Anchor>{" "}
              with the link on the service's terminal.
            </Alert>
          )}
          {!signIn.error && <OidcProblem code={search.get("error")} />}
          <ErrorNotice error={signIn.error} shown={["/email", "/password"]} />
          <TextInput
            label="E-mail"
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            value={email}
            error={at("/email")}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            error={at("/password")}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Sign in
          </Button>
          <OidcButton next={next} />
        </Stack>
      </form>
    </Entrance>
  );
}
