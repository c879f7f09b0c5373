import { Alert, Button, NumberInput, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { IconLock } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useIsMember, useOrganizationId } from "../../api/organization";
import { useMe } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { Form } from "../../components/Form";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { useDialog } from "../../components/useDialog";
import { queryClient } from "../../queryClient";

const ONE = "/dashboard/api/organizations/{orgId}";
const MAX_LIMIT = 100_000_000;

/** The organization's name, its message limit and its deletion. */
export default function SettingsPage() {
  const orgId = useOrganizationId();
  const { data: me } = useMe();
  const isAdmin = useIsAdmin();
  const isMember = useIsMember();
  const organization = useQuery({
    queryKey: ["organization", orgId],
    queryFn: () => unwrap(api.GET(ONE, { params: { path: { orgId } } })),
  });
  const mayDelete = organization.data?.role === "owner" || me?.operator;
  return (
    <Page title="Settings" about="Organization settings.">
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
                  As an operator, you can change the message limit and delete the organization, but not see
                  its content.
                </Alert>
              )}
              {isAdmin && <Name organization={found} />}
              {me?.operator && <Limit organization={found} />}
              {mayDelete && <Deletion organization={found} />}
            </Stack>
          )}
        </QueryBoundary>
      )}
    </Page>
  );
}

type Change = Partial<Schemas["OrganizationChange"]>;

/** Updates the given fields only. */
function useOrganizationUpdate(orgId: string, message: string) {
  return useMutation({
    mutationFn: (change: Change) =>
      unwrap(api.PATCH(ONE, { params: { path: { orgId } }, body: change as Schemas["OrganizationChange"] })),
    onSuccess: async () => {
      notifications.show({ message });
      await queryClient.invalidateQueries();
    },
  });
}

function Name({ organization }: { organization: Schemas["Organization"] }) {
  const form = useForm({
    initialValues: { name: organization.name },
    transformValues: ({ name }) => ({ name: name.trim() }),
  });
  const change = useOrganizationUpdate(organization.id, "Name updated.");
  return (
    <Paper withBorder p="lg">
      <Form
        form={form}
        mutation={change}
        action="Save name"
        button={{ disabled: form.values.name.trim() === organization.name }}
      >
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={100}
          {...form.getInputProps("name")}
        />
      </Form>
    </Paper>
  );
}

function Limit({ organization }: { organization: Schemas["Organization"] }) {
  const form = useForm({
    initialValues: { messages_per_minute: organization.messages_per_minute ?? "" },
    transformValues: ({ messages_per_minute: limit }) => ({
      messages_per_minute: limit === "" ? null : Number(limit),
    }),
  });
  const change = useOrganizationUpdate(organization.id, "Limit updated.");
  return (
    <Paper withBorder p="lg">
      <Form
        form={form}
        mutation={change}
        action="Save limit"
        button={{
          disabled: form.getTransformedValues().messages_per_minute === organization.messages_per_minute,
        }}
      >
        <NumberInput
          label="Messages per minute"
          description="Set by operators. Leave empty to use the default."
          placeholder="Default"
          min={1}
          max={MAX_LIMIT}
          allowDecimal={false}
          thousandSeparator=" "
          {...form.getInputProps("messages_per_minute")}
        />
      </Form>
    </Paper>
  );
}

function Deletion({ organization }: { organization: Schemas["Organization"] }) {
  const dialog = useDialog("delete");
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE(ONE, { params: { path: { orgId: organization.id } } })),
    onSuccess: async () => {
      notifications.show({ message: `“${organization.name}” deleted.` });
      await navigate("/organizations", { replace: true });
      await queryClient.invalidateQueries();
    },
  });
  return (
    <Paper withBorder p="lg">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          Delete organization
        </Title>
        <Text size="sm" c="dimmed">
          API keys stop working, runs are terminated and everyone loses access.
        </Text>
        <Button variant="default" onClick={dialog.open}>
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
    </Paper>
  );
}
