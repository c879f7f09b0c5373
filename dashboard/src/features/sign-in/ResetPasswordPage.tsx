import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { api, unwrap } from "../../api/client";
import { ApiError, fieldErrors } from "../../api/problem";
import { setSessionUser } from "../../api/session";
import { ErrorNotice } from "../../components/ErrorNotice";
import { passwordHint } from "../../components/passwordHint";
import { QueryBoundary } from "../../components/QueryBoundary";
import { queryClient } from "../../queryClient";
import { SignInCard } from "./SignInCard";

/** Opened by a reset link: sets a new password and signs in. The token is in the fragment, which is not sent. */
export default function ResetPasswordPage() {
  const token = useLocation().hash.slice(1);
  const link = useQuery({
    queryKey: ["password-reset", token],
    queryFn: () => unwrap(api.POST("/dashboard/api/password-resets/check", { body: { token } })),
    enabled: token !== "",
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
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
  const complete = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/dashboard/api/password-resets/complete", { body: { token, password } })),
    onSuccess: () => {
      // Another user may have been signed in.
      setSessionUser(null);
      queryClient.clear();
      void navigate("/", { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    complete.mutate();
  };
  if (complete.error instanceof ApiError && complete.error.status === 404) {
    return <InvalidLink />;
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          For {email}. You’ll be signed out everywhere else.
        </Text>
        <ErrorNotice error={complete.error} fieldPaths={["/password"]} />
        {/* Lets password managers store the new password under this account. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label="New password"
          description={passwordHint}
          autoComplete="new-password"
          autoFocus
          required
          withAsterisk={false}
          value={password}
          error={fieldErrors(complete.error).at("/password")}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={complete.isPending} fullWidth>
          Set password and sign in
        </Button>
      </Stack>
    </form>
  );
}

/** Shown after the link was used or has expired. */
function InvalidLink() {
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      This link has already been used or has expired.{" "}
      <Anchor component={Link} to="/forgot-password" inherit>
        Get a new one
      </Anchor>
      , or{" "}
      <Anchor component={Link} to="/sign-in" inherit>
        sign in
      </Anchor>
      .
    </Text>
  );
}
