import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, unwrap } from "../../api/client";
import { ApiError, fieldErrors } from "../../api/problem";
import { ErrorNotice } from "../../components/ErrorNotice";
import { passwordHint } from "../../components/passwordHint";
import { setSignedInUser } from "../../queryClient";
import { SignInCard } from "./SignInCard";

/** Opened by an invitation link: the invited person sets a password and joins. */
export default function InvitationPage() {
  const { token = "" } = useParams();
  const navigate = useNavigate();
  const [password, setPassword] = useState("");
  const accept = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/invitations/{token}", { params: { path: { token } }, body: { password } }),
      ),
    onSuccess: (person) => {
      setSignedInUser(person);
      void navigate("/", { replace: true });
    },
  });
  const isInvalid = accept.error instanceof ApiError && accept.error.status === 404;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate();
  };
  return (
    <SignInCard title="Accept your invitation">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            Choose a password. You’ll use it with your email address to sign in.
          </Text>
          {isInvalid ? (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              This invitation has already been used or has expired. Ask for a new one, or{" "}
              <Anchor component={Link} to="/sign-in" inherit>
                sign in
              </Anchor>
              .
            </Text>
          ) : (
            <ErrorNotice error={accept.error} fieldPaths={["/password"]} />
          )}
          <PasswordInput
            label="Password"
            description={passwordHint}
            autoComplete="new-password"
            autoFocus
            required
            withAsterisk={false}
            value={password}
            error={fieldErrors(accept.error).at("/password")}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={accept.isPending}>
            Join
          </Button>
        </Stack>
      </form>
    </SignInCard>
  );
}
