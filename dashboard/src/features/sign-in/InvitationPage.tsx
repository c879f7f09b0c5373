import { Alert, Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { ApiError, faultsOf } from "../../api/problem";
import { useMe } from "../../api/queries";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Loaded } from "../../parts/Loaded";
import { passwordHint } from "../../parts/passwordHint";
import { enter, queryClient } from "../../queryClient";
import { Entrance } from "./Entrance";

type Invitation = Schemas["InvitationView"];

/** The target of an invitation's link: a new person chooses a password, an existing account joins while signed in. */
export default function InvitationPage() {
  const { token = "" } = useParams();
  const me = useMe();
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => ask(api.GET("/dashboard/api/invitations/{token}", { params: { path: { token } } })),
    staleTime: Infinity,
    gcTime: 0,
  });
  const accept = useMutation({
    mutationFn: (password: string | null) =>
      ask(
        api.POST("/dashboard/api/invitations/{token}", {
          params: { path: { token } },
          body: { password },
        }),
      ),
  });
  const isGone = [invitation.error, accept.error].some(
    (error) => error instanceof ApiError && error.status === 404,
  );
  return (
    <Entrance title="Accept the invitation">
      {isGone ? (
        <Gone />
      ) : (
        <Loaded query={invitation}>
          {(found) => (
            <Loaded query={me}>
              {(person) => (
                <Stack>
                  <Text size="sm">
                    You are invited to{" "}
                    <Text span fw={600}>
                      {found.organization_name}
                    </Text>{" "}
                    as {found.role}, with the address{" "}
                    <Text span fw={600}>
                      {found.email}
                    </Text>
                    .
                  </Text>
                  {found.has_account ? (
                    <WithAccount token={token} invitation={found} me={person} accept={accept} />
                  ) : (
                    <WithPassword invitation={found} me={person} accept={accept} />
                  )}
                </Stack>
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Entrance>
  );
}

interface Accept {
  mutate: (
    password: string | null,
    options: { onSuccess: (person: Schemas["Me"]) => void; onError: () => void },
  ) => void;
  isPending: boolean;
  error: Error | null;
}

/** Accepts, and opens the organization; when it fails, the invitation may have changed. */
function useJoin(invitation: Invitation, accept: Accept) {
  const navigate = useNavigate();
  return (password: string | null) =>
    accept.mutate(password, {
      onSuccess: (person) => {
        enter(person);
        void navigate(`/organizations/${invitation.organization_id}`, { replace: true });
      },
      onError: () => void queryClient.invalidateQueries({ queryKey: ["invitation"] }),
    });
}

interface WithAccountProps {
  token: string;
  invitation: Invitation;
  me: Schemas["Me"] | null;
  accept: Accept;
}

/** The address has an account, which must be signed in. */
function WithAccount({ token, invitation, me, accept }: WithAccountProps) {
  const join = useJoin(invitation, accept);
  const navigate = useNavigate();
  const signIn = `/sign-in?next=${encodeURIComponent(`/invitations/${token}`)}`;
  const signOut = useMutation({
    mutationFn: () => ask(api.POST("/dashboard/api/logout")),
    onSuccess: () => {
      queryClient.removeQueries({ type: "inactive" });
      queryClient.setQueryData(["me"], null);
      void navigate(signIn);
    },
  });
  if (me === null) {
    return (
      <>
        <Text size="sm" c="dimmed">
          You have an account with this address. Sign in with it to join.
        </Text>
        <Button component={Link} to={signIn}>
          Sign in
        </Button>
      </>
    );
  }
  if (me.email !== invitation.email) {
    return (
      <>
        <Alert color="yellow" title="You are signed in with another account">
          You are signed in as {me.email}. Only {invitation.email} can accept this invitation.
        </Alert>
        <ErrorNotice error={signOut.error} />
        <Button loading={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out and continue
        </Button>
        <Button component={Link} to="/" variant="default">
          Stay signed in
        </Button>
      </>
    );
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        Members of {invitation.organization_name} will see your name and address. Your other organizations
        stay as they are.
      </Text>
      <ErrorNotice error={accept.error} />
      <Button loading={accept.isPending} onClick={() => join(null)}>
        Join
      </Button>
      <Button component={Link} to="/" variant="default">
        Not now
      </Button>
    </>
  );
}

/** The address has no account yet: the person chooses a password. */
function WithPassword({ invitation, me, accept }: Omit<WithAccountProps, "token">) {
  const [password, setPassword] = useState("");
  const join = useJoin(invitation, accept);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    join(password);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          Choose a password; afterwards you sign in with it and your e-mail address.
        </Text>
        {me && <SignedInNotice invitation={invitation} me={me} />}
        <ErrorNotice error={accept.error} shown={["/password"]} />
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
  );
}

/** What joining does to the account that is signed in now. */
function SignedInNotice({ invitation, me }: { invitation: Invitation; me: Schemas["Me"] }) {
  if (me.email !== invitation.email) {
    return (
      <Alert color="yellow" title="You are signed in with another account">
        You are signed in as {me.email}. When you join, this browser is signed in as {invitation.email}{" "}
        instead.
      </Alert>
    );
  }
  const others = me.organizations.filter((each) => each.id !== invitation.organization_id);
  const lost =
    others.length > 0 ? `, and ${others.map((each) => each.name).join(", ")} must invite you again` : "";
  return (
    <Alert color="yellow" title="This will be a new account">
      {invitation.mailed
        ? `The address of your current account is not proven. This link proves it: a new account replaces it${lost}.`
        : `The address of your current account is not proven, so it cannot join another organization. You get a separate account for ${invitation.organization_name}; choose a different password for it.`}
    </Alert>
  );
}

function Gone() {
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      This invitation was used already or has run out. Ask for a new one, or{" "}
      <Anchor component={Link} to="/sign-in" inherit>
        sign in
      </Anchor>
      .
    </Text>
  );
}
