import { Anchor, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import { EmailField, PasswordField, PasswordForm } from "./PasswordForm";
import { setSignedInUser, useLogin, useMe, useSetup } from "../../api";
import { LinkButton } from "../../components/variants";
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
  const signIn = useLogin(setSignedInUser);
  const { data: setUp } = useSetup();

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
          <LinkButton to="/setup" fullWidth>
            Complete the setup
          </LinkButton>
        </Stack>
      </SignInCard>
    );
  }
  return (
    <SignInCard title="Sign in" withAbout>
      <PasswordForm
        mutation={signIn}
        onSubmit={() => signIn.mutate({ email, password, organization_id: organizationOf(next) })}
        action="Sign in"
        fullWidth
        fieldPaths={["/email", "/password"]}
        intro={!signIn.error && <OidcProblem code={search.get("error")} />}
        more={
          <>
            <Anchor
              component={Link}
              to={email ? `/forgot-password?email=${encodeURIComponent(email)}` : "/forgot-password"}
              size="sm"
              ta="center"
            >
              Forgot password?
            </Anchor>
            <OidcButton next={next} />
          </>
        }
      >
        <EmailField autoFocus value={email} error={signIn.error} onType={setEmail} />
        <PasswordField
          name="password"
          autoComplete="current-password"
          value={password}
          error={signIn.error}
          onType={setPassword}
        />
      </PasswordForm>
    </SignInCard>
  );
}
