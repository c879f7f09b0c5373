import { Alert, Button, Divider } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, ask } from "../../api/client";

/** Why a sign-in by the provider ended without a session, by the code that the service put into the address. */
const REASONS: Record<string, string> = {
  oidc_provider_unavailable:
    "The sign-in service cannot be reached or is not set up well. Try again later, or sign in with a password.",
  oidc_cancelled: "The sign-in was cancelled.",
  oidc_not_begun_here:
    "The sign-in was not begun in this browser, or took longer than 10 minutes. Try again.",
  oidc_not_trusted:
    "The sign-in service's answer could not be trusted. If it happens again, tell an operator.",
  oidc_email_not_verified:
    "The sign-in service does not confirm your e-mail address. Confirm it there, and try again.",
  oidc_not_invited: "Nobody here has your e-mail address. Ask an admin of your organization to invite you.",
  oidc_other_account:
    "Your e-mail address belongs to another account of the sign-in service. Ask an operator to unlink that one.",
  oidc_too_many_attempts: "There were too many attempts. Wait some minutes, and try again.",
};

/** What went wrong at the provider. */
export function OidcProblem({ code }: { code: string | null }) {
  const reason = code === null ? undefined : REASONS[code];
  return reason ? (
    <Alert color="red" role="alert" title="You are not signed in">
      {reason}
    </Alert>
  ) : null;
}

/** The way to the OpenID Connect provider, where one is set up. */
export function OidcButton({ next }: { next: string }) {
  const { data: offer } = useQuery({
    queryKey: ["oidc"],
    queryFn: () => ask(api.GET("/dashboard/api/oidc")),
    staleTime: 60_000,
  });
  if (!offer?.enabled) {
    return null;
  }
  return (
    <>
      <Divider label="or" />
      <Button
        component="a"
        href={`/dashboard/api/oidc/start?return_to=${encodeURIComponent(next)}`}
        variant="default"
        fullWidth
      >
        Continue with {offer.name}
      </Button>
    </>
  );
}
