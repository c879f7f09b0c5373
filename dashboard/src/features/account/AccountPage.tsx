import {
  Alert,
  Container,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  useMantineColorScheme,
  type MantineColorScheme,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useChangePassword, useMe, useRenameMe } from "../../api";
import { SectionHeading, Dimmed } from "../../components/variants";
import { Form } from "../../components/Form";
import { Page } from "../../components/Page";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { passwordHint } from "../../components/passwordHint";
import { SCHEMES } from "../../components/colorSchemes";
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
  const rename = useRenameMe({ done: "Name updated." });
  const dirty = form.values.name.trim() !== (me?.name ?? "");
  useUnsavedChanges(dirty);
  return (
    <Paper withBorder p="lg">
      <Form form={form} mutation={rename} action="Save name" button={{ disabled: !dirty }}>
        <SectionHeading>Profile</SectionHeading>
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
        <SectionHeading>Appearance and language</SectionHeading>
        <Dimmed>Applies to this browser.</Dimmed>
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
  const change = useChangePassword({
    done: "Password updated. You’ve been signed out on your other devices.",
    onSuccess: () => form.reset(),
  });
  return (
    <Paper withBorder p="lg">
      <Form
        form={form}
        mutation={change}
        action="Change password"
        button={{ disabled: !form.values.current_password || !form.values.new_password }}
      >
        <SectionHeading>Password</SectionHeading>
        <Dimmed>Changing your password signs you out everywhere else.</Dimmed>
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
