import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import type { Role } from "../../api/organization";
import { CopyButton } from "../../components/CopyButton";
import { Form } from "../../components/Form";
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
    // Forget the link however the dialog was closed, even by Back.
    setAdded(null);
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={added ? "Member invited" : "Invite member"}
      closeOnClickOutside={!added}
    >
      {added ? <Invited added={added} onDone={onClose} /> : <Fields orgId={orgId} onAdded={setAdded} />}
    </Modal>
  );
}

function Fields({ orgId, onAdded }: { orgId: string; onAdded: (member: Schemas["AddedMember"]) => void }) {
  const form = useForm({ initialValues: { email: "", name: "", role: "member" as Role } });
  const invite = useMutation({
    mutationFn: ({ email, name, role }: typeof form.values) =>
      unwrap(
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
  return (
    <Form form={form} mutation={invite} action="Invite">
      <TextInput label="Name" data-autofocus required {...form.getInputProps("name")} />
      <TextInput label="Email" type="email" required {...form.getInputProps("email")} />
      <Select label="Role" data={ROLES} allowDeselect={false} {...form.getInputProps("role")} />
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
              {added.name} can use this link to join with a new password or an existing account. It works
              once, expires after 7 days, and won’t be shown again. Send it only to {added.name}: no email
              server is set up, so the first person to open the link can join.
            </Text>
          </Alert>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput label="Invitation link" readOnly flex={1} value={link} />
            <CopyButton text={link} label="Copy link" />
          </Group>
        </>
      ) : (
        <Text size="sm">
          {added.email} will receive an email with a link. {added.name} can use it to join with a new password
          or an existing account. The link works once and expires after 7 days.
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
