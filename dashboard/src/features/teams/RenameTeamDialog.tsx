import { Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";

interface Props {
  orgId: string;
  team: Schemas["Team"];
  opened: boolean;
  onClose: () => void;
}

export function RenameTeamDialog({ orgId, team, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Rename “${team.name}”`}>
      <Fields orgId={orgId} team={team} onRenamed={onClose} />
    </Modal>
  );
}

function Fields({ orgId, team, onRenamed }: { orgId: string; team: Schemas["Team"]; onRenamed: () => void }) {
  const form = useForm({ initialValues: { name: team.name } });
  const rename = useMutation({
    mutationFn: ({ name }: typeof form.values) =>
      unwrap(
        api.PATCH("/dashboard/api/organizations/{orgId}/teams/{teamId}", {
          params: { path: { orgId, teamId: team.id } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: async () => {
      onRenamed();
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "teams"] });
    },
  });
  return (
    <Form form={form} mutation={rename} action="Rename">
      <TextInput label="Name" data-autofocus required {...form.getInputProps("name")} />
    </Form>
  );
}
