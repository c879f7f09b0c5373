import { Alert, Container, Paper, PasswordInput, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { useMe } from "../../api/queries";
import { Form } from "../../components/Form";
import { Page } from "../../components/Page";
import { passwordHint } from "../../components/passwordHint";
import { queryClient } from "../../queryClient";
import { UserMenu } from "../../layout/UserMenu";

/** The signed-in user's name and password. */
export default function AccountPage() {
  const { data: me } = useMe();
  return (
    <Container component="main" py="xl" size="sm">
      <Page
        title="Your account"
        about={`Signed in as ${me?.email}.`}
        back={{ to: "/", label: "Back to organization" }}
        actions={<UserMenu />}
      >
        {me && !me.email_proven && (
          <Alert color="yellow" title="Your email address isn’t verified">
            You joined with a link from an admin, so this account works in that organization only. It is
            deleted when someone verifies the address by accepting an emailed invitation or signing in with
            OpenID Connect.
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
    mutationFn: () => unwrap(api.PATCH("/dashboard/api/me", { body: { name: name.trim() } })),
    onSuccess: async () => {
      notifications.show({ message: "Name updated." });
      await queryClient.invalidateQueries();
    },
  });
  return (
    <Paper withBorder p="lg">
      <Form
        mutation={rename}
        onSubmit={() => rename.mutate()}
        action="Save name"
        fieldPaths={["/name"]}
        button={{ disabled: name.trim() === me?.name }}
      >
        <Title order={2} size="h4">
          Name
        </Title>
        <TextInput
          label="Name"
          description="Visible to members of your organizations"
          autoComplete="name"
          value={name}
          error={fieldErrors(rename.error).at("/name")}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Form>
    </Paper>
  );
}

function Password({ email }: { email: string }) {
  const [current, setCurrent] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const change = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/me/password", {
          body: { current_password: current, new_password: newPassword },
        }),
      ),
    onSuccess: () => {
      notifications.show({ message: "Password updated. You’ve been signed out on your other devices." });
      setCurrent("");
      setNewPassword("");
    },
  });
  const { at } = fieldErrors(change.error);
  return (
    <Paper withBorder p="lg">
      <Form
        mutation={change}
        onSubmit={() => change.mutate()}
        action="Change password"
        fieldPaths={["/current_password", "/new_password"]}
      >
        <Title order={2} size="h4">
          Password
        </Title>
        <Text size="sm" c="dimmed">
          Changing your password signs you out everywhere else.
        </Text>
        {/* Lets password managers store the new password under this account. */}
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
          value={newPassword}
          error={at("/new_password")}
          onChange={(event) => setNewPassword(event.currentTarget.value)}
        />
      </Form>
    </Paper>
  );
}
