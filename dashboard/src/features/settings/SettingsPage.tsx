import { Alert, Button, NumberInput, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconLock } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { useIsAdmin, useIsMember, useOrganizationId } from "../../api/organization";
import { faultsOf } from "../../api/problem";
import { useMe } from "../../api/queries";
import { Confirm } from "../../parts/Confirm";
import { EmptyState } from "../../parts/EmptyState";
import { Form } from "../../parts/Form";
import { Loaded } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { useDialog } from "../../parts/useDialog";
import { queryClient } from "../../queryClient";

const ONE = "/dashboard/api/organizations/{orgId}";
const MOST = 100_000_000;

/** The organization itself: its name, the limit that an operator sets, and its end. */
export default function SettingsPage() {
  const orgId = useOrganizationId();
  const { data: me } = useMe();
  const isAdmin = useIsAdmin();
  const isMember = useIsMember();
  const organization = useQuery({
    queryKey: ["organization", orgId],
    queryFn: () => ask(api.GET(ONE, { params: { path: { orgId } } })),
  });
  const mayDelete = organization.data?.role === "owner" || me?.operator;
  return (
    <Page title="Settings" about="The organization as a whole.">
      {!isAdmin && !me?.operator ? (
        <EmptyState icon={IconLock} title="Only owners and admins change this">
          Ask one of them to rename the organization.
        </EmptyState>
      ) : (
        <Loaded query={organization}>
          {(found) => (
            <Stack maw={560}>
              {!isMember && (
                <Alert title="You are not a member">
                  As an operator you set its limit and can delete it; what is inside stays closed to you.
                </Alert>
              )}
              {isAdmin && <Name organization={found} />}
              {me?.operator && <Limit organization={found} />}
              {mayDelete && <Deletion organization={found} />}
            </Stack>
          )}
        </Loaded>
      )}
    </Page>
  );
}

type Change = Partial<Schemas["OrganizationChange"]>;

/** Changes what is named, and leaves the rest. */
function useChange(orgId: string, told: string) {
  return useMutation({
    mutationFn: (change: Change) =>
      ask(api.PATCH(ONE, { params: { path: { orgId } }, body: change as Schemas["OrganizationChange"] })),
    onSuccess: async () => {
      notifications.show({ message: told });
      await queryClient.invalidateQueries();
    },
  });
}

function Name({ organization }: { organization: Schemas["Organization"] }) {
  const [name, setName] = useState(organization.name);
  const change = useChange(organization.id, "The name is changed.");
  return (
    <Paper withBorder p="lg">
      <Form
        sending={change}
        onSubmit={() => change.mutate({ name: name.trim() })}
        action="Save name"
        shown={["/name"]}
        button={{ disabled: name.trim() === organization.name }}
      >
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          error={faultsOf(change.error).at("/name")}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Form>
    </Paper>
  );
}

function Limit({ organization }: { organization: Schemas["Organization"] }) {
  const [limit, setLimit] = useState<number | null>(organization.messages_per_minute);
  const change = useChange(organization.id, "The limit is changed.");
  return (
    <Paper withBorder p="lg">
      <Form
        sending={change}
        onSubmit={() => change.mutate({ messages_per_minute: limit })}
        action="Save limit"
        shown={["/messages_per_minute"]}
        button={{ disabled: limit === organization.messages_per_minute }}
      >
        <NumberInput
          label="Messages per minute"
          description="Operators set it. Empty: the installation's default."
          placeholder="Default"
          min={1}
          max={MOST}
          allowDecimal={false}
          thousandSeparator=" "
          value={limit ?? ""}
          error={faultsOf(change.error).at("/messages_per_minute")}
          onChange={(value) => setLimit(value === "" ? null : Number(value))}
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
    mutationFn: () => ask(api.DELETE(ONE, { params: { path: { orgId: organization.id } } })),
    onSuccess: async () => {
      notifications.show({ message: `“${organization.name}” is deleted.` });
      await navigate("/organizations", { replace: true });
      await queryClient.invalidateQueries();
    },
  });
  return (
    <Paper withBorder p="lg">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          Delete the organization
        </Title>
        <Text size="sm" c="dimmed">
          Its API keys stop working, its runs are terminated, and nobody can enter it any more.
        </Text>
        <Button variant="default" onClick={dialog.open}>
          Delete …
        </Button>
      </Stack>
      <Confirm
        opened={dialog.opened}
        title={`Delete “${organization.name}”?`}
        action="Delete the organization"
        sending={remove}
        disabled={typed.trim() !== organization.name}
        onConfirm={() => remove.mutate()}
        onClose={dialog.close}
      >
        <Stack>
          <Text size="sm">This cannot be undone. Type the organization's name to go on.</Text>
          <TextInput
            label="Name of the organization"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Stack>
      </Confirm>
    </Paper>
  );
}
