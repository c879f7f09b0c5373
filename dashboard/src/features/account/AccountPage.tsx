import {
  Alert,
  Container,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
  useMantineColorScheme,
  type MantineColorScheme,
} from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { useMe } from "../../api/queries";
import { Form } from "../../components/Form";
import { Page } from "../../components/Page";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { passwordHint } from "../../components/passwordHint";
import { SCHEMES } from "../../layout/colorSchemes";
import { queryClient } from "../../queryClient";
import { Sessions } from "./Sessions";
import { TicketEmails } from "./TicketEmails";

/** The signed-in user's name, emails, password and sessions. */
export default function AccountPage() {
  const { data: me } = useMe();
  return (
    <Container size="sm" px={0} mx={0}>
      <Page title="Your account" about={`Signed in as ${me?.email}.`}>
        {me && !me.email_proven && (
          <Alert color="yellow" title="Your email address isn’t verified">
            You joined with a link from an admin, so this account works in that organization only. It is
            deleted when someone verifies the address by accepting an emailed invitation or signing in with
            OpenID Connect.
          </Alert>
        )}
        <Profile />
        <TicketEmails />
        <Appearance />
        <Password email={me?.email ?? ""} />
        <Sessions />
      </Page>
    </Container>
  );
}

function Profile() {
  const { data: me } = useMe();
  const form = useForm({ initialValues: { name: me?.name ?? "" } });
  const rename = useMutation({
    mutationFn: ({ name }: typeof form.values) =>
      unwrap(api.PATCH("/dashboard/api/me", { body: { name: name.trim() } })),
    onSuccess: async () => {
      notifications.show({ message: "Name updated." });
      await queryClient.invalidateQueries();
    },
  });
  const dirty = form.values.name.trim() !== (me?.name ?? "");
  useUnsavedChanges(dirty);
  return (
    <Paper withBorder p="lg">
      <Form form={form} mutation={rename} action="Save name" button={{ disabled: !dirty }}>
        <Title order={2} size="h4">
          Profile
        </Title>
        <TextInput
          label="Name"
          description="Visible to members of your organizations"
          autoComplete="name"
          {...form.getInputProps("name")}
        />
      </Form>
    </Paper>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h4">
          Appearance and language
        </Title>
        <Text size="sm" c="dimmed">
          Applies to this browser.
        </Text>
        <Text size="sm">
          Language: English. Dates and times follow your browser: {locale}, {timeZone.replaceAll("_", " ")}.
        </Text>
        <SegmentedControl
          aria-label="Theme"
          data={SCHEMES.map(({ value, label }) => ({ value, label }))}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        />
      </Stack>
    </Paper>
  );
}

function Password({ email }: { email: string }) {
  const form = useForm({ initialValues: { current_password: "", new_password: "" } });
  const change = useMutation({
    mutationFn: (body: typeof form.values) => unwrap(api.POST("/dashboard/api/me/password", { body })),
    onSuccess: () => {
      notifications.show({ message: "Password updated. You’ve been signed out on your other devices." });
      form.reset();
      void queryClient.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  return (
    <Paper withBorder p="lg">
      <Form
        form={form}
        mutation={change}
        action="Change password"
        button={{ disabled: !form.values.current_password || !form.values.new_password }}
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
          {...form.getInputProps("current_password")}
        />
        <PasswordInput
          label="New password"
          description={passwordHint}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...form.getInputProps("new_password")}
        />
      </Form>
    </Paper>
  );
}
