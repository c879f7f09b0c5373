import { Alert, Divider } from "@mantine/core";
import { useOidcProvider } from "../../api";
import { SecondaryButton } from "../../components/variants";

/** Messages for the error codes that the server puts into the URL after a failed OpenID Connect sign-in. */
const REASONS: Record<string, string> = {
  oidc_provider_unavailable:
    "We can’t reach your identity provider, or it is misconfigured. Try again later, or sign in with a password.",
  oidc_cancelled: "Sign-in was cancelled.",
  oidc_not_begun_here: "This sign-in link has expired or was started in another browser. Try again.",
  oidc_not_trusted:
    "The response from your identity provider couldn’t be verified. If this happens again, contact an operator.",
  oidc_email_not_verified:
    "Your identity provider hasn’t verified your email address. Verify it there and try again, or contact an operator.",
  oidc_not_invited:
    "There is no account for your email address. Ask an admin of your organization to invite you.",
  oidc_other_account:
    "Your email address is linked to another account at your identity provider. Ask an operator to unlink it.",
  oidc_too_many_attempts: "Too many attempts. Wait a few minutes and try again.",
};

/** Explains a failed OpenID Connect sign-in. */
export function OidcProblem({ code }: { code: string | null }) {
  const reason = code === null ? undefined : REASONS[code];
  return reason ? (
    <Alert color="red" role="alert" title="Couldn’t sign you in">
      {reason}
    </Alert>
  ) : null;
}

/** The button for the OpenID Connect provider, if one is configured. */
export function OidcButton({ next }: { next: string }) {
  const { data: provider } = useOidcProvider();
  if (!provider?.enabled) {
    return null;
  }
  return (
    <>
      <Divider label="or" />
      <SecondaryButton
        component="a"
        href={`/dashboard/api/oidc/start?return_to=${encodeURIComponent(next)}`}
        fullWidth
      >
        Continue with {provider.name}
      </SecondaryButton>
    </>
  );
}
