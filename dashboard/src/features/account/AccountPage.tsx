import { Alert, Container, Paper, PasswordInput, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { useMe } from "../../api/queries";
import { Form } from "../../parts/Form";
import { Page } from "../../parts/Page";
import { passwordHint } from "../../parts/passwordHint";
import { queryClient } from "../../queryClient";
import { PersonMenu } from "../../shell/PersonMenu";

/** What people change about themselves: their name and their password. */
export default function AccountPage() {
  const { data: me } = useMe();
  return (
    <Container component="main" py="xl" size="sm">
      <Page
        title="Your account"
        about={`You sign in with ${me?.email}.`}
        back={{ to: "/", label: "Back to the organization" }}
        actions={<PersonMenu />}
      >
        {me && !me.email_proven && (
          <Alert color="yellow" title="Your e-mail address is not proven">
            You joined by a link that an admin passed on, so this account works in that organization only. It
            ends when somebody proves the address, by an invitation by e-mail or by signing in with OpenID
            Connect.
          </Alert>
        )}
        <Name />
        <Password email={me?.email ?? ""} />
      </Page>
    </Container>
  );
}

function Name() {
  const { data: me } = useMe();
  const [name, setName] = useState(me?.name ?? "");
  const rename = useMutation({
    mutationFn: () => ask(api.PATCH("/dashboard/api/me", { body: { name: name.trim() } })),
    onSuccess: async () => {
      notifications.show({ message: "Your name is changed." });
      await queryClient.invalidateQueries();
    },
  });
  return (
    <Paper withBorder p="lg">
      <Form
        sending={rename}
        onSubmit={() => rename.mutate()}
        action="Save name"
        shown={["/name"]}
        button={{ disabled: name.trim() === me?.name }}
      >
        <Title order={2} size="h4">
          Name
        </Title>
        <TextInput
          label="Name"
          description="Members of your organizations see it"
          autoComplete="name"
          value={name}
          error={faultsOf(rename.error).at("/name")}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Form>
    </Paper>
  );
}

function Password({ email }: { email: string }) {
  const [current, setCurrent] = useState("");
  const [wanted, setWanted] = useState("");
  const change = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/dashboard/api/me/password", {
          body: { current_password: current, new_password: wanted },
        }),
      ),
    onSuccess: () => {
      notifications.show({ message: "Your password is changed; you are signed out everywhere else." });
      setCurrent("");
      setWanted("");
    },
  });
  const { at } = faultsOf(change.error);
  return (
    <Paper withBorder p="lg">
      <Form
        sending={change}
        onSubmit={() => change.mutate()}
        action="Change password"
        shown={["/current_password", "/new_password"]}
      >
        <Title order={2} size="h4">
          Password
        </Title>
        <Text size="sm" c="dimmed">
          Whoever is signed in as you in another browser has to sign in again.
        </Text>
        {/* Password managers keep the new password under this name. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={current}
          error={at("/current_password")}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description={passwordHint}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={wanted}
          error={at("/new_password")}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      </Form>
    </Paper>
  );
}
