import {
  Alert,
  Button,
  Group,
  NumberInput,
  Paper,
  Stack,
  Text,
  TextInput,
  type NumberInputProps,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { IconLock } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import {
  ApiError,
  changeOrganization,
  isConflict,
  organizationKey,
  queryClient,
  readOrganization,
  useChange,
  useDeleteOrganization,
  useEditedOrganization,
  useIsAdmin,
  useIsMember,
  useMe,
  useOverview,
  type Schemas,
  type Tagged,
} from "../../api";
import { Dimmed, SectionHeading, WrappedText } from "../../components/variants";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { CopyButton } from "../../components/CopyButton";
import { EmptyState } from "../../components/EmptyState";
import { Form } from "../../components/Form";
import { QueryBoundary } from "../../components/QueryBoundary";
import { NameForm } from "../../components/NameForm";
import { NotFound } from "../../components/NotFound";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { useDialog } from "../../components/useDialog";
import { AllowedModels } from "./AllowedModels";
import { Connections } from "./Connections";

const MAX_LIMIT = 100_000_000;
/** As in other numbers of the page. */
const THOUSANDS =
  new Intl.NumberFormat().formatToParts(MAX_LIMIT).find(({ type }) => type === "group")?.value ?? "";

/** The organization's name, its message limit and its deletion. */
export default function SettingsPage() {
  const { data: me } = useMe();
  const isAdmin = useIsAdmin();
  const isMember = useIsMember();
  const organization = useEditedOrganization();
  const mayDelete = organization.data?.role === "owner" || me?.operator;
  if (organization.error instanceof ApiError && organization.error.status === 404) {
    return <NotFound />;
  }
  return (
    <Page title="Settings" about="The organization’s name, limits and deletion.">
      {!isAdmin && !me?.operator ? (
        <EmptyState icon={IconLock} title="Only owners and admins can change settings">
          Ask an owner or admin to make changes.
        </EmptyState>
      ) : (
        <QueryBoundary query={organization}>
          {(found) => (
            <Stack maw={560}>
              {!isMember && (
                <Alert title="You’re not a member">
                  As an operator, you can change the message limit and the allowed models and delete the
                  organization, but not see its content.
                </Alert>
              )}
              {isAdmin && <General key={found.id} organization={found} />}
              {isMember && <About organization={found} />}
              {isMember && <Connections />}
              {me?.operator && !isAdmin && <Limit organization={found} />}
              {me?.operator && (
                <Section title="Allowed models">
                  <AllowedModels key={found.etag} organization={found} />
                </Section>
              )}
              {mayDelete && <Deletion organization={found} />}
            </Stack>
          )}
        </QueryBoundary>
      )}
    </Page>
  );
}

/** The name and, for operators, the message limit. */
function General({ organization }: { organization: Tagged<Schemas["Organization"]> }) {
  const { id } = organization;
  const { data: me } = useMe();
  const [limit, setLimit] = useState<string | number>(organization.messages_per_minute ?? "");
  const wanted = limit === "" ? null : Number(limit);
  const changesLimit = wanted !== organization.messages_per_minute;
  return (
    <Section title="General">
      <NameForm
        queryKey={organizationKey(id, "renamed")}
        loaded={organization}
        read={() => readOrganization(id)}
        save={(name, etag) =>
          changeOrganization(id, { name, ...(changesLimit && { messages_per_minute: wanted }) }, etag)
        }
        action="Save"
        changed={changesLimit}
        onSaved={() => {
          notifications.show({ message: "Settings saved." });
          void queryClient.invalidateQueries();
        }}
      >
        {me?.operator && <LimitInput organization={organization} value={limit} onChange={setLimit} />}
      </NameForm>
    </Section>
  );
}

/** Facts that only operators change, and pages about the whole organization. */
function About({ organization }: { organization: Schemas["Organization"] }) {
  const { data: me } = useMe();
  const limits = useOverview()?.limits;
  return (
    <Section title="About">
      <Stack gap={6}>
        <Fact label="ID">
          <Group gap={2} wrap="nowrap">
            <WrappedText ff="monospace">{organization.id}</WrappedText>
            <CopyButton small text={organization.id} label="Copy ID" />
          </Group>
        </Fact>
        <Fact label="Created">
          <Time at={organization.created_at} />
        </Fact>
        {!me?.operator && (
          <Fact label="Message limit">
            {organization.message_limit.toLocaleString()} per minute. Set by operators.
          </Fact>
        )}
        {limits && <Fact label="Concurrent runs">At most {limits.running_instances.toLocaleString()}.</Fact>}
      </Stack>
    </Section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Dimmed w={120} flex="none">
        {label}
      </Dimmed>
      <Text size="sm" component="div">
        {children}
      </Text>
    </Group>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg">
      <Stack>
        <SectionHeading>{title}</SectionHeading>
        {children}
      </Stack>
    </Paper>
  );
}

interface LimitInputProps extends NumberInputProps {
  organization: Schemas["Organization"];
}

function LimitInput({ organization, ...input }: LimitInputProps) {
  const limit = input.value === "" ? 1 : Number(input.value);
  return (
    <NumberInput
      label="Messages per minute"
      description={`Default: ${organization.default_message_limit.toLocaleString()}. Leave empty to use the default.`}
      min={1}
      max={MAX_LIMIT}
      allowDecimal={false}
      thousandSeparator={THOUSANDS}
      allowNegative={false}
      // A wrong number must not silently become another limit.
      clampBehavior="none"
      {...input}
      error={
        limit < 1 || limit > MAX_LIMIT
          ? `Enter a number from 1 to ${MAX_LIMIT.toLocaleString()}.`
          : input.error
      }
    />
  );
}

/** For operators who are not admins of the organization. */
function Limit({ organization }: { organization: Tagged<Schemas["Organization"]> }) {
  const form = useForm({
    initialValues: { messages_per_minute: organization.messages_per_minute ?? "" },
    transformValues: ({ messages_per_minute: limit }) => ({
      messages_per_minute: limit === "" ? null : Number(limit),
    }),
  });
  const save = useChange({
    send: (values: Partial<Schemas["OrganizationChange"]>) =>
      changeOrganization(organization.id, values, organization.etag),
    done: "Limit updated.",
    outdated: [[]],
    // Another try then applies to the version that was changed meanwhile.
    onError: (error) => isConflict(error) && void queryClient.invalidateQueries(),
  });
  const dirty = form.getTransformedValues().messages_per_minute !== organization.messages_per_minute;
  useUnsavedChanges(dirty);
  return (
    <Section title="Message limit">
      <Form form={form} mutation={save} action="Save limit" button={{ disabled: !dirty }}>
        <LimitInput organization={organization} {...form.getInputProps("messages_per_minute")} />
      </Form>
    </Section>
  );
}

function Deletion({ organization }: { organization: Schemas["Organization"] }) {
  const dialog = useDialog("delete");
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const remove = useDeleteOrganization({
    done: `“${organization.name}” deleted.`,
    onSuccess: () => navigate("/organizations", { replace: true }),
  });
  return (
    <Section title="Delete organization">
      <Stack align="flex-start">
        <Dimmed>API keys stop working, runs are terminated and everyone loses access.</Dimmed>
        <Button variant="outline" color="red" onClick={dialog.open}>
          Delete…
        </Button>
      </Stack>
      <ConfirmDialog
        opened={dialog.opened}
        title={`Delete “${organization.name}”?`}
        action="Delete organization"
        mutation={remove}
        disabled={typed.trim() !== organization.name}
        onConfirm={() => remove.mutate()}
        onClose={dialog.close}
      >
        <Stack>
          <Text size="sm">This can’t be undone. Type the organization’s name to confirm.</Text>
          <TextInput
            label="Organization name"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Stack>
      </ConfirmDialog>
    </Section>
  );
}
