import { Alert, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { PasswordField, PasswordForm } from "./PasswordForm";
import {
  ApiError,
  forgetUser,
  logOut,
  queryClient,
  setSessionUser,
  setSignedInUser,
  useAcceptInvitation,
  useInvitation,
  useMe,
  type Schemas,
} from "../../api";
import { Dimmed, ErrorText, LinkButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { InlineLink } from "../../components/PageLink";
import { passwordHint } from "../../components/passwordHint";
import { QueryBoundary } from "../../components/QueryBoundary";
import { SignInCard } from "./SignInCard";

type Invitation = Schemas["InvitationView"];

/** Opened by an invitation link: a new user sets a password, an existing user joins while signed in. */
export default function InvitationPage() {
  const { token = "" } = useParams();
  const me = useMe();
  const invitation = useInvitation(token);
  const accept = useAcceptInvitation(token);
  const isInvalid = [invitation.error, accept.error].some(
    (error) => error instanceof ApiError && error.status === 404,
  );
  return (
    <SignInCard title="Accept your invitation" withAbout>
      {isInvalid ? (
        <InvalidInvitation />
      ) : (
        <QueryBoundary query={invitation}>
          {(found) => (
            <QueryBoundary query={me}>
              {(user) => (
                <Stack>
                  <Text size="sm">
                    {found.invited_by
                      ? `${found.invited_by} invited you to join`
                      : "You’ve been invited to join"}{" "}
                    <Text span fw={600}>
                      {found.organization_name}
                    </Text>{" "}
                    as {found.role === "member" ? "a" : "an"} {found.role}, with the email address{" "}
                    <Text span fw={600}>
                      {found.email}
                    </Text>
                    .
                  </Text>
                  {found.has_account ? (
                    <WithAccount token={token} invitation={found} me={user} accept={accept} />
                  ) : (
                    <WithPassword invitation={found} me={user} accept={accept} />
                  )}
                </Stack>
              )}
            </QueryBoundary>
          )}
        </QueryBoundary>
      )}
    </SignInCard>
  );
}

interface AcceptMutation {
  mutate: (
    password: string | null,
    options: { onSuccess: (user: Schemas["Me"]) => void; onError: () => void },
  ) => void;
  isPending: boolean;
  error: Error | null;
}

/** Accepts the invitation and opens the organization. Reloads the invitation after an error, because it may have changed. */
function useJoin(invitation: Invitation, accept: AcceptMutation) {
  const navigate = useNavigate();
  return (password: string | null) =>
    accept.mutate(password, {
      onSuccess: (user) => {
        setSignedInUser(user);
        void navigate(`/organizations/${invitation.organization_id}`, { replace: true });
      },
      onError: () => void queryClient.invalidateQueries({ queryKey: ["invitation"] }),
    });
}

interface WithAccountProps {
  token: string;
  invitation: Invitation;
  me: Schemas["Me"] | null;
  accept: AcceptMutation;
}

/** For an address with a verified account, which must be signed in. */
function WithAccount({ token, invitation, me, accept }: WithAccountProps) {
  const join = useJoin(invitation, accept);
  const navigate = useNavigate();
  const signIn = `/sign-in?next=${encodeURIComponent(`/invitations/${token}`)}`;
  const signOut = useMutation({
    mutationFn: logOut,
    onSuccess: () => {
      setSessionUser(null);
      queryClient.removeQueries({ type: "inactive" });
      forgetUser(me?.id ?? "");
      queryClient.setQueryData(["me"], null);
      void navigate(signIn);
    },
  });
  if (me === null) {
    return (
      <>
        <Dimmed>You already have an account with this email address. Sign in to join.</Dimmed>
        <LinkButton to={signIn}>Sign in</LinkButton>
      </>
    );
  }
  if (me.email !== invitation.email) {
    return (
      <>
        <Alert color="yellow" title="You’re signed in with another account">
          You’re signed in as {me.email}. Only {invitation.email} can accept this invitation.
        </Alert>
        <ErrorNotice error={signOut.error} />
        <Button loading={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out and continue
        </Button>
        <LinkButton variant="default" to="/">
          Stay signed in
        </LinkButton>
      </>
    );
  }
  return (
    <>
      <Dimmed>
        Members of {invitation.organization_name} will see your name and email address. Your other
        organizations won’t change.
      </Dimmed>
      <ErrorNotice error={accept.error} />
      <Button loading={accept.isPending} onClick={() => join(null)}>
        Join
      </Button>
      <LinkButton variant="default" to="/">
        Not now
      </LinkButton>
    </>
  );
}

/** For an address without a verified account: the user sets a password. */
function WithPassword({ invitation, me, accept }: Omit<WithAccountProps, "token">) {
  const [password, setPassword] = useState("");
  const join = useJoin(invitation, accept);
  return (
    <PasswordForm
      mutation={accept}
      onSubmit={() => join(password)}
      action="Join"
      fieldPaths={["/password"]}
      intro={
        <>
          <Dimmed>Choose a password. You’ll use it with your email address to sign in.</Dimmed>
          {me && <SignedInNotice invitation={invitation} me={me} />}
        </>
      }
    >
      <PasswordField
        description={passwordHint}
        autoComplete="new-password"
        autoFocus
        value={password}
        error={accept.error}
        onType={setPassword}
      />
    </PasswordForm>
  );
}

/** Explains what joining does to the current session and account. */
function SignedInNotice({ invitation, me }: { invitation: Invitation; me: Schemas["Me"] }) {
  if (me.email !== invitation.email) {
    return (
      <Alert color="yellow" title="You’re signed in with another account">
        You’re signed in as {me.email}. Joining signs you out and signs you in as {invitation.email}.
      </Alert>
    );
  }
  const others = me.organizations.filter((each) => each.id !== invitation.organization_id);
  const lost =
    others.length > 0
      ? ` You’ll lose access to ${others.map((each) => each.name).join(", ")} until you’re invited again.`
      : "";
  return (
    <Alert color="yellow" title="You’ll get a new account">
      {invitation.mailed
        ? `Your current account’s email address isn’t verified. This link verifies the address, and a new account replaces your current one.${lost}`
        : `Your current account’s email address isn’t verified, so it can’t join another organization. You’ll get a separate account for ${invitation.organization_name}. Choose a different password for it.`}
    </Alert>
  );
}

/** Shown after the link was used or has expired. */
function InvalidInvitation() {
  return (
    <ErrorText role="alert">
      This invitation has already been used or has expired. Ask for a new one, or{" "}
      <InlineLink to="/sign-in">sign in</InlineLink>.
    </ErrorText>
  );
}
