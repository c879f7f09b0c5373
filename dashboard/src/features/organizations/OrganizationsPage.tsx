import { Anchor, Button, Group, Modal, Paper, Stack, Text, TextInput } from "@mantine/core";
import { IconBuilding } from "@tabler/icons-react";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router";
import { api, unwrap } from "../../api/client";
import { usePagedQuery } from "../../api/pagination";
import { useMe } from "../../api/queries";
import { EmptyState } from "../../components/EmptyState";
import { Form } from "../../components/Form";
import { QueryBoundary } from "../../components/QueryBoundary";
import { LoadMoreButton } from "../../components/LoadMoreButton";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { queryClient } from "../../queryClient";

/** All organizations that the user can open; operators create new ones here. */
export default function OrganizationsPage() {
  const { data: me } = useMe();
  const dialog = useDialog("new-organization");
  const pages = usePagedQuery(["organizations"], (after) =>
    unwrap(api.GET("/dashboard/api/organizations", { params: { query: { limit: 50, after } } })),
  );
  const create = me?.operator && <Button onClick={dialog.open}>New organization</Button>;
  return (
    <>
      <Page title="Organizations" actions={create}>
        <QueryBoundary query={pages}>
          {() => (
            <Stack gap="sm">
              {pages.items.length === 0 && (
                <EmptyState icon={IconBuilding} title="You’re not a member of any organization yet">
                  Open your invitation link, or ask an admin to invite {me?.email}.
                  {me?.operator ? " You can also create an organization." : ""}
                </EmptyState>
              )}
              {pages.items.map((each) => (
                <Paper key={each.id} withBorder p="md">
                  <Group justify="space-between">
                    <Anchor component={Link} to={`/organizations/${each.id}`} fw={600}>
                      {each.name}
                    </Anchor>
                    <Text size="sm" c="dimmed">
                      {each.role ?? "operator"} · created <Time at={each.created_at} />
                    </Text>
                  </Group>
                </Paper>
              ))}
              <LoadMoreButton pages={pages} />
            </Stack>
          )}
        </QueryBoundary>
      </Page>
      <Modal opened={me?.operator === true && dialog.opened} onClose={dialog.close} title="New organization">
        <NewOrganization />
      </Modal>
    </>
  );
}

function NewOrganization() {
  const form = useForm({ initialValues: { name: "" } });
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (body: typeof form.values) => unwrap(api.POST("/dashboard/api/organizations", { body })),
    onSuccess: async (created) => {
      await queryClient.invalidateQueries();
      void navigate(`/organizations/${created.id}`, { replace: true });
    },
  });
  return (
    <Form form={form} mutation={create} action="Create">
      <TextInput label="Name" data-autofocus required {...form.getInputProps("name")} />
    </Form>
  );
}
