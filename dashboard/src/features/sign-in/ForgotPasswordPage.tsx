import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { EmailField, PasswordForm } from "./PasswordForm";
import { usePasswordResets, useRequestPasswordReset } from "../../api";
import { Dimmed } from "../../components/variants";
import { QueryBoundary } from "../../components/QueryBoundary";
import { SignInCard } from "./SignInCard";

/** Requests an emailed link for a new password, or says whom to ask for one. */
export default function ForgotPasswordPage() {
  const offer = usePasswordResets();
  return (
    <SignInCard title="Forgot your password?">
      <Stack>
        <QueryBoundary query={offer}>
          {({ mailed }) => (mailed ? <RequestLink /> : <AskAnAdmin />)}
        </QueryBoundary>
        <Anchor component={Link} to="/sign-in" size="sm">
          Back to sign in
        </Anchor>
      </Stack>
    </SignInCard>
  );
}

function AskAnAdmin() {
  return (
    <Text size="sm">
      Email isn’t set up here. Ask an admin of your organization for a reset link: under Members, they choose
      “Create reset link” next to your name.
    </Text>
  );
}

function RequestLink() {
  const [search] = useSearchParams();
  const [email, setEmail] = useState(search.get("email") ?? "");
  const request = useRequestPasswordReset();
  if (request.isSuccess) {
    return (
      <Alert role="status" title="Check your inbox">
        If {email.trim()} has an account here, we’ve sent it a link. It works once and expires after one hour.
      </Alert>
    );
  }
  return (
    <PasswordForm
      mutation={request}
      onSubmit={() => request.mutate(email)}
      action="Email me a link"
      fullWidth
      fieldPaths={["/email"]}
      intro={<Dimmed>We’ll email you a link to set a new password.</Dimmed>}
    >
      <EmailField autoFocus value={email} error={request.error} onType={setEmail} />
    </PasswordForm>
  );
}
