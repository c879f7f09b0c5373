import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask, type Schemas } from "../../api/client";
import type { Role } from "../../api/organization";
import { faultsOf } from "../../api/problem";
import { Copy } from "../../parts/Copy";
import { Form } from "../../parts/Form";
import { queryClient } from "../../queryClient";
import { ROLES } from "./roles";

interface Props {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

export function InviteDialog({ orgId, opened, onClose }: Props) {
  const [added, setAdded] = useState<Schemas["AddedMember"] | null>(null);
  if (!opened && added) {
    // However it was closed, by "back" too: what it shows, it shows this once.
    setAdded(null);
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={added ? "Invited" : "Invite a person"}
      closeOnClickOutside={!added}
    >
      {added ? <Invited added={added} onDone={onClose} /> : <Fields orgId={orgId} onAdded={setAdded} />}
    </Modal>
  );
}

function Fields({ orgId, onAdded }: { orgId: string; onAdded: (member: Schemas["AddedMember"]) => void }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invite = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/dashboard/api/organizations/{orgId}/members", {
          params: { path: { orgId } },
          body: { email: email.trim(), name: name.trim(), role },
        }),
      ),
    onSuccess: async (member) => {
      onAdded(member);
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "members"] });
    },
  });
  const { at } = faultsOf(invite.error);
  return (
    <Form
      sending={invite}
      onSubmit={() => invite.mutate()}
      action="Invite"
      shown={["/email", "/name", "/role"]}
    >
      <TextInput
        label="Name"
        data-autofocus
        required
        value={name}
        error={at("/name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="E-mail"
        type="email"
        required
        value={email}
        error={at("/email")}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Select
        label="Role"
        data={ROLES}
        allowDeselect={false}
        value={role}
        error={at("/role")}
        onChange={(value) => value && setRole(value)}
      />
    </Form>
  );
}

function Invited({ added, onDone }: { added: Schemas["AddedMember"]; onDone: () => void }) {
  const link = added.invitation_token && `${location.origin}/invitations/${added.invitation_token}`;
  return (
    <Stack>
      {link ? (
        <>
          <Alert color="yellow" title="Send this link">
            <Text size="sm">
              {added.name} joins with it, by choosing a password or with an existing account. It is shown this
              once, works once, and expires after 7 days. Send it to {added.name} alone: no e-mail server is
              set up, so whoever opens the link first joins.
            </Text>
          </Alert>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput label="Invitation link" readOnly flex={1} value={link} />
            <Copy text={link} label="Copy link" />
          </Group>
        </>
      ) : (
        <Text size="sm">
          {added.email} gets an e-mail with a link. {added.name} joins with it, by choosing a password or with
          an existing account. The link works once and expires after 7 days.
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
