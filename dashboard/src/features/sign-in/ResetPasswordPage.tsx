import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { PasswordField, PasswordForm } from "./PasswordForm";
import { ApiError, queryClient, setSessionUser, usePasswordResetLink, useResetPassword } from "../../api";
import { InlineLink } from "../../components/PageLink";
import { Dimmed, ErrorText } from "../../components/variants";
import { passwordHint } from "../../components/passwordHint";
import { QueryBoundary } from "../../components/QueryBoundary";
import { SignInCard } from "./SignInCard";

/** Opened by a reset link: sets a new password and signs in. The token is in the fragment, which is not sent. */
export default function ResetPasswordPage() {
  const token = useLocation().hash.slice(1);
  const link = usePasswordResetLink(token);
  const isInvalid =
    token === "" ||
    (link.error instanceof ApiError && (link.error.status === 404 || link.error.status === 400));
  return (
    <SignInCard title="Set a new password">
      {isInvalid ? (
        <InvalidLink />
      ) : (
        <QueryBoundary query={link}>
          {({ email }) => <NewPassword token={token} email={email} />}
        </QueryBoundary>
      )}
    </SignInCard>
  );
}

function NewPassword({ token, email }: { token: string; email: string }) {
  const [password, setPassword] = useState("");
  const navigate = useNavigate();
  const complete = useResetPassword(() => {
    // Another user may have been signed in.
    setSessionUser(null);
    queryClient.clear();
    void navigate("/", { replace: true });
  });
  if (complete.error instanceof ApiError && complete.error.status === 404) {
    return <InvalidLink />;
  }
  return (
    <PasswordForm
      mutation={complete}
      onSubmit={() => complete.mutate({ token, password })}
      action="Set password and sign in"
      fullWidth
      fieldPaths={["/password"]}
      intro={<Dimmed>For {email}. You’ll be signed out everywhere else.</Dimmed>}
    >
      {/* Lets password managers store the new password under this account. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="New password"
        description={passwordHint}
        autoComplete="new-password"
        autoFocus
        value={password}
        error={complete.error}
        onType={setPassword}
      />
    </PasswordForm>
  );
}

/** Shown after the link was used or has expired. */
function InvalidLink() {
  return (
    <ErrorText role="alert">
      This link has already been used or has expired.{" "}
      <InlineLink to="/forgot-password">Get a new one</InlineLink>, or{" "}
      <InlineLink to="/sign-in">sign in</InlineLink>.
    </ErrorText>
  );
}
