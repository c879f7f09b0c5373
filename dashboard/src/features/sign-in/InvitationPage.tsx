import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, ask } from "../../api/client";
import { ApiError, faultsOf } from "../../api/problem";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { passwordHint } from "../../parts/passwordHint";
import { enter } from "../../queryClient";
import { Entrance } from "./Entrance";

/** Where an invitation's link leads: the person chooses a password and is in. */
export default function InvitationPage() {
  const { token = "" } = useParams();
  const navigate = useNavigate();
  const [password, setPassword] = useState("");
  const accept = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/dashboard/api/invitations/{token}", { params: { path: { token } }, body: { password } }),
      ),
    onSuccess: (person) => {
      enter(person);
      void navigate("/", { replace: true });
    },
  });
  const gone = accept.error instanceof ApiError && accept.error.status === 404;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate();
  };
  return (
    <Entrance title="Accept the invitation">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            Choose a password; afterwards you sign in with it and your e-mail address.
          </Text>
          {gone ? (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              This invitation was used already or has run out. Ask for a new one, or{" "}
              <Anchor component={Link} to="/sign-in" inherit>
                sign in
              </Anchor>
              .
            </Text>
          ) : (
            <ErrorNotice error={accept.error} shown={["/password"]} />
          )}
          <PasswordInput
            label="Password"
            description={passwordHint}
            autoComplete="new-password"
            autoFocus
            required
            withAsterisk={false}
            value={password}
            error={faultsOf(accept.error).at("/password")}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={accept.isPending}>
            Join
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
