import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import { api, unwrap } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { useMe } from "../../api/queries";
import { ErrorNotice } from "../../components/ErrorNotice";
import { setSignedInUser } from "../../queryClient";
import { SignInCard } from "./SignInCard";
import { OidcButton, OidcProblem } from "./OidcSignIn";

/** Allows only paths of this site: a crafted link must not redirect elsewhere after sign-in. */
function safeRedirectPath(next: string | null): string {
  return next?.startsWith("/") && !next.startsWith("//") && !next.includes("\\") ? next : "/";
}

/** The organization of a path. An unverified email address can have an account in each of several organizations. */
function organizationOf(path: string): string | null {
  return /^\/organizations\/([0-9a-f]{32})(?:\/|$)/.exec(path)?.[1] ?? null;
}

export default function SignInPage() {
  const [search] = useSearchParams();
  const next = safeRedirectPath(search.get("next"));
  const { data: me } = useMe();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/login", {
          body: { email, password, organization_id: organizationOf(next) },
        }),
      ),
    onSuccess: setSignedInUser,
  });
  const { data: setUp } = useQuery({
    queryKey: ["setup"],
    queryFn: () => unwrap(api.GET("/dashboard/api/setup")),
    staleTime: 60_000,
  });
  const { at } = fieldErrors(signIn.error);

  if (me) {
    return <Navigate to={next} replace />;
  }
  if (setUp?.needed) {
    return (
      <SignInCard title="Set up Parley" withAbout>
        <Stack>
          <Text size="sm">
            This installation has no account yet. Open the link that Parley printed in its log when it
            started, or enter the token at its end.
          </Text>
          <Button component={Link} to="/setup" fullWidth>
            Complete the setup
          </Button>
        </Stack>
      </SignInCard>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <SignInCard title="Sign in" withAbout>
      <form onSubmit={submit}>
        <Stack>
          {!signIn.error && <OidcProblem code={search.get("error")} />}
          <ErrorNotice error={signIn.error} fieldPaths={["/email", "/password"]} />
          <TextInput
            label="Email"
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
          <Anchor
            component={Link}
            to={email ? `/forgot-password?email=${encodeURIComponent(email)}` : "/forgot-password"}
            size="sm"
            ta="center"
          >
            Forgot password?
          </Anchor>
          <OidcButton next={next} />
        </Stack>
      </form>
    </SignInCard>
  );
}
