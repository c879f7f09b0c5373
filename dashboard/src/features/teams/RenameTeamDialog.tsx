import { Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { api, type Schemas } from "../../api/client";
import { unwrapTagged, type Tagged } from "../../api/conflict";
import { NameForm } from "../../components/NameForm";
import { queryClient } from "../../queryClient";

const ONE = "/dashboard/api/organizations/{orgId}/teams/{teamId}";

interface Props {
  orgId: string;
  team: Tagged<Schemas["Team"]>;
  opened: boolean;
  onClose: () => void;
}

export function RenameTeamDialog({ orgId, team, opened, onClose }: Props) {
  const path = { orgId, teamId: team.id };
  return (
    <Modal opened={opened} onClose={onClose} title={`Rename “${team.name}”`}>
      <NameForm
        queryKey={["organization", orgId, "teams", team.id, "renamed"]}
        loaded={team}
        read={() => unwrapTagged(api.GET(ONE, { params: { path } }))}
        save={(name, etag) =>
          unwrapTagged(api.PATCH(ONE, { params: { path, header: { "If-Match": etag } }, body: { name } }))
        }
        action="Rename"
        autoFocus
        onSaved={(saved) => {
          notifications.show({ message: `Renamed to “${saved.name}”.` });
          onClose();
          void queryClient.invalidateQueries({ queryKey: ["organization", orgId, "teams"] });
        }}
      />
    </Modal>
  );
}
