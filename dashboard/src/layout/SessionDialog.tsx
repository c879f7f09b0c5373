import { Anchor, Divider, Modal, Text, TextInput } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useParams } from "react-router";
import { PasswordField, PasswordForm } from "../features/sign-in/PasswordForm";
import {
  isSessionEnded,
  onSessionChange,
  queryClient,
  renewSession,
  useLogin,
  useMe,
  useOidcProvider,
  type Schemas,
} from "../api";
import { SecondaryButton } from "../components/variants";
import { forgetUnsavedChanges } from "../components/leaveGuard";

/** Above every other dialog. */
const Z_INDEX = 1000;

/** Asks for the password over the page when the session has ended; afterwards the page continues as it was. */
export function SessionDialog() {
  const ended = useSyncExternalStore(onSessionChange, isSessionEnded);
  const { data: me } = useMe();
  return (
    <Modal
      opened={ended}
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      overlayProps={{ blur: 8, backgroundOpacity: 0.7 }}
      zIndex={Z_INDEX}
      title="Your session has ended"
    >
      {ended && me && <SignInAgain me={me} />}
    </Modal>
  );
}

function SignInAgain({ me }: { me: Schemas["Me"] }) {
  const { orgId } = useParams();
  const [password, setPassword] = useState("");
  const [other, setOther] = useState<Schemas["Me"] | null>(null);
  const continueAs = (user: Schemas["Me"]) => {
    if (user.id === me.id) {
      queryClient.setQueryData(["me"], user);
      renewSession();
    } else {
      setOther(user);
    }
  };
  const signIn = useLogin(continueAs);
  useSignInElsewhere(continueAs);
  const { data: provider } = useOidcProvider();
  return (
    <PasswordForm
      mutation={signIn}
      onSubmit={() => signIn.mutate({ email: me.email, password, organization_id: orgId ?? null })}
      action="Sign in"
      fullWidth
      fieldPaths={["/password"]}
      intro={
        <>
          <Text size="sm">Sign in again to continue. Everything you typed is still here.</Text>
          {other && (
            <Text size="sm" role="status">
              {other.name} is signed in in this browser. <Anchor href="/">Continue as {other.name}</Anchor>,
              or sign in as {me.name}.
            </Text>
          )}
        </>
      }
      more={
        <>
          {provider?.enabled && (
            <>
              <Divider label="or" />
              <SecondaryButton
                component="a"
                target="_blank"
                href="/dashboard/api/oidc/start?return_to=%2Fsign-in%2Fdone"
                fullWidth
              >
                Continue with {provider.name} in a new tab
              </SecondaryButton>
            </>
          )}
          <Anchor href="/sign-in" size="sm" onClick={forgetUnsavedChanges}>
            Sign in as someone else
          </Anchor>
        </>
      }
    >
      <TextInput label="Email" type="email" autoComplete="username" readOnly value={me.email} />
      <PasswordField
        autoComplete="current-password"
        data-autofocus
        value={password}
        error={signIn.error}
        onType={setPassword}
      />
    </PasswordForm>
  );
}

/** Notices a sign-in in another tab when the user returns to this one. */
function useSignInElsewhere(onSignedIn: (me: Schemas["Me"]) => void) {
  useEffect(() => {
    const check = async () => {
      // Outside the API client, because requests of this page wait for the session.
      const response = await fetch("/dashboard/api/me").catch(() => null);
      if (response?.ok) {
        onSignedIn((await response.json()) as Schemas["Me"]);
      }
    };
    const listener = () => void check();
    window.addEventListener("focus", listener);
    document.addEventListener("visibilitychange", listener);
    listener();
    return () => {
      window.removeEventListener("focus", listener);
      document.removeEventListener("visibilitychange", listener);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per dialog
  }, []);
}
