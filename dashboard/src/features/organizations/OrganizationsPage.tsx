import { Anchor, Button, Container, Group, Modal, Paper, Stack, Text, TextInput } from "@mantine/core";
import { IconBuilding } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { api, ask } from "../../api/client";
import { usePages } from "../../api/pages";
import { faultsOf } from "../../api/problem";
import { useMe } from "../../api/queries";
import { EmptyState } from "../../parts/EmptyState";
import { Form } from "../../parts/Form";
import { Loaded } from "../../parts/Loaded";
import { More } from "../../parts/More";
import { Page } from "../../parts/Page";
import { Time } from "../../parts/Time";
import { useDialog } from "../../parts/useDialog";
import { queryClient } from "../../queryClient";
import { PersonMenu } from "../../shell/PersonMenu";

/** All organizations that the person may enter; operators make new ones here. */
export default function OrganizationsPage() {
  const { data: me } = useMe();
  const dialog = useDialog("new-organization");
  const pages = usePages(["organizations"], (after) =>
    ask(api.GET("/dashboard/api/organizations", { params: { query: { limit: 50, after } } })),
  );
  const create = me?.operator && <Button onClick={dialog.open}>New organization</Button>;
  return (
    <Container component="main" py="xl">
      <Page
        title="Organizations"
        actions={
          <>
            {create}
            <PersonMenu />
          </>
        }
      >
        <Loaded query={pages}>
          {() => (
            <Stack gap="sm">
              {pages.items.length === 0 && (
                <EmptyState icon={IconBuilding} title="You are in no organization yet">
                  Open the link of your invitation, or ask the admin of an organization to invite {me?.email}.
                  {me?.operator ? " You can also make a new one." : ""}
                </EmptyState>
              )}
              {pages.items.map((each) => (
                <Paper key={each.id} withBorder p="md">
                  <Group justify="space-between">
                    <Anchor component={Link} to={`/organizations/${each.id}`} fw={600}>
                      {each.name}
                    </Anchor>
                    <Text size="sm" c="dimmed">
                      {each.role ?? "operator"} · since <Time at={each.created_at} />
                    </Text>
                  </Group>
                </Paper>
              ))}
              <More pages={pages} />
            </Stack>
          )}
        </Loaded>
      </Page>
      <Modal opened={me?.operator === true && dialog.opened} onClose={dialog.close} title="New organization">
        <NewOrganization />
      </Modal>
    </Container>
  );
}

function NewOrganization() {
  const [name, setName] = useState("");
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => ask(api.POST("/dashboard/api/organizations", { body: { name } })),
    onSuccess: async (made) => {
      await queryClient.invalidateQueries();
      void navigate(`/organizations/${made.id}`, { replace: true });
    },
  });
  return (
    <Form sending={create} onSubmit={() => create.mutate()} action="Create" shown={["/name"]}>
      <TextInput
        label="Name"
        data-autofocus
        required
        value={name}
        error={faultsOf(create.error).at("/name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </Form>
  );
}
