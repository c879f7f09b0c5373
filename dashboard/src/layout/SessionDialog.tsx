import { Anchor, Button, Divider, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore, type FormEvent } from "react";
import { useParams } from "react-router";
import { api, unwrap, type Schemas } from "../api/client";
import { fieldErrors } from "../api/problem";
import { useMe } from "../api/queries";
import { isSessionEnded, onSessionChange, renewSession } from "../api/session";
import { ErrorNotice } from "../components/ErrorNotice";
import { forgetUnsavedChanges } from "../components/leaveGuard";
import { queryClient } from "../queryClient";

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
  const signIn = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/login", {
          body: { email: me.email, password, organization_id: orgId ?? null },
        }),
      ),
    onSuccess: continueAs,
  });
  useSignInElsewhere(continueAs);
  const { data: provider } = useQuery({
    queryKey: ["oidc"],
    queryFn: () => unwrap(api.GET("/dashboard/api/oidc")),
    staleTime: 60_000,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">Sign in again to continue. Everything you typed is still here.</Text>
        {other && (
          <Text size="sm" role="status">
            {other.name} is signed in in this browser. <Anchor href="/">Continue as {other.name}</Anchor>, or
            sign in as {me.name}.
          </Text>
        )}
        <ErrorNotice error={signIn.error} fieldPaths={["/password"]} />
        <TextInput label="Email" type="email" autoComplete="username" readOnly value={me.email} />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          required
          withAsterisk={false}
          value={password}
          error={fieldErrors(signIn.error).at("/password")}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
        {provider?.enabled && (
          <>
            <Divider label="or" />
            <Button
              component="a"
              target="_blank"
              href="/dashboard/api/oidc/start?return_to=%2Fsign-in%2Fdone"
              variant="default"
              fullWidth
            >
              Continue with {provider.name} in a new tab
            </Button>
          </>
        )}
        <Anchor href="/sign-in" size="sm" onClick={forgetUnsavedChanges}>
          Sign in as someone else
        </Anchor>
      </Stack>
    </form>
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
