import { Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  organizationKey,
  readTeam,
  refetch,
  renameTeam,
  useOrganizationId,
  type Schemas,
  type Tagged,
} from "../../api";
import { NameForm } from "../../components/NameForm";

interface Props {
  team: Tagged<Schemas["Team"]>;
  opened: boolean;
  onClose: () => void;
}

export function RenameTeamDialog({ team, opened, onClose }: Props) {
  const orgId = useOrganizationId();
  return (
    <Modal opened={opened} onClose={onClose} title={`Rename “${team.name}”`}>
      <NameForm
        queryKey={organizationKey(orgId, "teams", team.id, "renamed")}
        loaded={team}
        read={() => readTeam(orgId, team.id)}
        save={(name, etag) => renameTeam(orgId, team.id, name, etag)}
        action="Rename"
        autoFocus
        onSaved={(saved) => {
          notifications.show({ message: `Renamed to “${saved.name}”.` });
          onClose();
          void refetch(orgId, "teams");
        }}
      />
    </Modal>
  );
}
